/** Token introspection (RFC 7662): for the client that holds the token, and for no other. */
import { hashToken } from "../accounts/secret-token.ts";
import { subjectOf } from "../accounts/subject.ts";
import type { Statement } from "../platform/database/connection.ts";
import { type ClientCredentials, identifyClient, refused } from "./client-authentication.ts";
import type { OAuthDeps } from "./deps.ts";
import { OAuthProtocolError } from "./oauth-protocol-error.ts";

export interface Introspection extends ClientCredentials {
  readonly token: string | null;
}

/** What is known of a token that stands. */
export interface LiveToken {
  readonly scope: string;
  readonly clientId: string;
  readonly kind: "access" | "refresh";
  readonly issuedAt: Date;
  readonly expiresAt: Date;
  readonly sub: string;
}

const FIND: Statement = {
  name: "introspect-oauth-token",
  text: `SELECT t.kind, t.scopes, t.created_at, t.expires_at, g.account_id FROM oauth_tokens t JOIN oauth_grants g ON g.id = t.grant_id
    WHERE t.token_hash = $1 AND t.client_id = $2 AND t.revoked_at IS NULL AND t.consumed_at IS NULL AND t.expires_at > now()
      AND g.revoked_at IS NULL`,
};

interface LiveRow {
  kind: "access" | "refresh";
  scopes: string[];
  created_at: Date;
  expires_at: Date;
  account_id: string;
}

/**
 * @returns null when the token is not active: unknown, ended, or another client's, never said which.
 * @throws {OAuthProtocolError} also for clients that cannot prove who they are.
 */
export async function introspectToken(deps: OAuthDeps, request: Introspection): Promise<LiveToken | null> {
  const { client, isProven } = await identifyClient(deps.db, request);
  if (!isProven) throw refused();
  if (request.token === null) throw new OAuthProtocolError("invalid_request", "token is missing.");
  const [row] = await deps.db.query<LiveRow>(FIND, [hashToken(request.token), client.id]);
  if (!row) return null;
  return {
    scope: row.scopes.join(" "),
    clientId: client.id,
    kind: row.kind,
    issuedAt: row.created_at,
    expiresAt: row.expires_at,
    sub: subjectOf(deps.site.baseUrl(), row.account_id),
  };
}
