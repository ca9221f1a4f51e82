/** Token revocation (RFC 7009). */
import { hashToken } from "../accounts/secret-token.ts";
import type { Statement } from "../platform/database/connection.ts";
import { type ClientCredentials, identifyClient, invalidClientError, requiresSecret } from "./client-authentication.ts";
import type { OAuthDeps } from "./deps.ts";
import { OAuthProtocolError } from "./oauth-protocol-error.ts";
import { revokeFamily } from "./revoke-family.ts";

export interface Revocation extends ClientCredentials {
  readonly token: string | null;
}

const FIND: Statement = {
  name: "find-oauth-token",
  text: "SELECT id, kind, client_id, family_id FROM oauth_tokens WHERE token_hash = $1",
};

const REVOKE_ONE: Statement = {
  name: "revoke-oauth-token",
  text: "UPDATE oauth_tokens SET revoked_at = now() WHERE id = $1 AND revoked_at IS NULL",
};

/**
 * Revokes a token of the client. A refresh token is revoked with its whole family, an access token alone. An unknown
 * token is not an error (RFC 7009 section 2.2).
 * @throws {OAuthProtocolError} `invalid_client`, `invalid_request`, or `invalid_grant` for another client's token
 */
export async function revokeToken(deps: OAuthDeps, request: Revocation): Promise<void> {
  const { db } = deps;
  const { client, isAuthenticated } = await identifyClient(deps, request);
  if (requiresSecret(client) && !isAuthenticated) throw invalidClientError();
  if (request.token === null) throw new OAuthProtocolError("invalid_request", "token is missing.");
  const [row] = await db.query<{ id: string; kind: string; client_id: string; family_id: string }>(FIND, [
    hashToken(request.token),
  ]);
  if (!row) return;
  if (row.client_id !== client.id) {
    throw new OAuthProtocolError("invalid_grant", "The token was issued to another client.");
  }
  if (row.kind === "refresh") await revokeFamily(db, row.family_id);
  else await db.query(REVOKE_ONE, [row.id]);
}
