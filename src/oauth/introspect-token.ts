/** Token introspection (RFC 7662), only for the client that the token was issued to. */
import { hashToken } from "../accounts/secret-token.ts";
import { formatSubject } from "../accounts/subject.ts";
import type { Statement } from "../platform/database/connection.ts";
import { formatResource, type ResourcePath } from "../platform/http/resources.ts";
import { type ClientCredentials, identifyClient, invalidClientError } from "./client-authentication.ts";
import type { OAuthDeps } from "./deps.ts";
import { OAuthProtocolError } from "./oauth-protocol-error.ts";

export interface Introspection extends ClientCredentials {
  readonly token: string | null;
}

/** The metadata of an active token. */
export interface ActiveToken {
  readonly scope: string;
  readonly clientId: string;
  readonly kind: "access" | "refresh";
  readonly issuedAt: Date;
  readonly expiresAt: Date;
  readonly sub: string;
  /** Identifiers of the resources that the token is restricted to; empty: all. */
  readonly audience: readonly string[];
  /** Thumbprint of the key that the token is bound to. */
  readonly dpopJkt: string | null;
  readonly scopeEnforcement: ScopeEnforcement;
}

/** Where scopes are enforced: everywhere, except on the routes of the contract, or nowhere (the waiver of spec section 5). */
export type ScopeEnforcement = "all" | "except_contract_routes" | "none";

const FIND: Statement = {
  name: "introspect-oauth-token",
  text: `SELECT t.kind, t.scopes, t.resources, t.dpop_jkt, t.created_at, t.expires_at, g.account_id, a.strict_scopes OR g.strict_scopes AS strict_scopes
    FROM oauth_tokens t JOIN oauth_grants g ON g.id = t.grant_id JOIN accounts a ON a.id = g.account_id
    WHERE t.token_hash = $1 AND t.client_id = $2 AND t.revoked_at IS NULL AND (t.kind = 'access' OR t.consumed_at IS NULL) AND t.expires_at > now()
      AND g.revoked_at IS NULL`,
};

interface ActiveTokenRow {
  kind: "access" | "refresh";
  scopes: string[];
  resources: ResourcePath[];
  dpop_jkt: string | null;
  created_at: Date;
  expires_at: Date;
  account_id: string;
  strict_scopes: boolean;
}

/**
 * Returns the metadata of an active token; null if the token is unknown, expired, revoked, or another client's.
 * @throws {OAuthProtocolError} `invalid_client` also for public clients, which cannot authenticate
 */
export async function introspectToken(deps: OAuthDeps, request: Introspection): Promise<ActiveToken | null> {
  const { client, isAuthenticated } = await identifyClient(deps, request);
  if (!isAuthenticated) throw invalidClientError();
  if (request.token === null) throw new OAuthProtocolError("invalid_request", "token is missing.");
  const [row] = await deps.db.query<ActiveTokenRow>(FIND, [hashToken(request.token), client.id]);
  if (!row) return null;
  return {
    scope: row.scopes.join(" "),
    clientId: client.id,
    kind: row.kind,
    issuedAt: row.created_at,
    expiresAt: row.expires_at,
    sub: formatSubject(deps.site.baseUrl(), row.account_id),
    audience: row.resources.map((path) => formatResource(deps.site.baseUrl(), path)),
    dpopJkt: row.dpop_jkt,
    scopeEnforcement:
      row.strict_scopes || client.strictScopes ? "all" : client.waiverOnRoutesOnly ? "except_contract_routes" : "none",
  };
}
