/**
 * `grant_type=refresh_token` (spec section 4.2, RFC 6749 section 6). Refresh tokens rotate; reuse revokes the family.
 */
import { type FrozenBy, frozenByOf, isHeldOpen } from "../accounts/freeze/freeze-state.ts";
import { hashToken, isWellFormedToken } from "../accounts/secret-token.ts";
import type { Statement } from "../platform/database/connection.ts";
import { type AuthenticatedClient, invalidClientError, requiresSecret } from "./client-authentication.ts";
import type { OAuthDeps } from "./deps.ts";
import { frozenGrantError } from "./frozen-grant.ts";
import { REFRESH_GRACE_SECONDS } from "./lifetimes.ts";
import { OAuthProtocolError } from "./oauth-protocol-error.ts";
import { revokeFamily } from "./revoke-family.ts";
import { readScopes } from "./scopes.ts";
import { openResponse, sealResponse } from "./sealed-response.ts";
import { createTokenPair, insertPair, type TokenResponse } from "./token-pair.ts";

export interface Refresh {
  readonly refreshToken: string | null;
  readonly scope: string | null;
}

const FIND: Statement = {
  name: "find-refresh-token",
  text: `SELECT t.id, t.client_id, g.account_id, t.family_id, t.scopes, t.sealed_answer, t.consumed_at IS NOT NULL AS is_used,
      t.consumed_at > now() - interval '${REFRESH_GRACE_SECONDS} seconds' AS is_in_grace,
      t.revoked_at IS NULL AND t.expires_at > now() AND g.revoked_at IS NULL AS stands, ${frozenByOf("a")} AS frozen_by
    FROM oauth_tokens t JOIN oauth_grants g ON g.id = t.grant_id JOIN accounts a ON a.id = g.account_id WHERE t.token_hash = $1 AND t.kind = 'refresh'`,
};

const ROTATE: Statement = {
  name: "rotate-refresh-token",
  text: `WITH used AS (
      UPDATE oauth_tokens SET consumed_at = now(), sealed_answer = $2
      WHERE id = $1 AND consumed_at IS NULL AND revoked_at IS NULL AND expires_at > now()
        AND ${isHeldOpen("(SELECT account_id FROM oauth_grants WHERE id = grant_id)")}
      RETURNING grant_id, client_id, family_id
    ) ${insertPair("used", 3)}`,
};

interface RefreshRow {
  id: string;
  client_id: string;
  account_id: string;
  family_id: string;
  scopes: string[];
  sealed_answer: Uint8Array | null;
  is_used: boolean;
  is_in_grace: boolean | null;
  stands: boolean;
  frozen_by: FrozenBy | null;
}

/**
 * Consumes a refresh token and returns a new token pair. Within the grace period the same token returns the same pair,
 * for lost responses and concurrent refreshes. Later reuse revokes the whole family (RFC 9700 section 4.14.2).
 * @throws {OAuthProtocolError} `invalid_client`, `invalid_request`, `invalid_scope` or `invalid_grant`. Also
 *   `temporarily_unavailable` while the account is frozen; the token remains valid then
 */
export async function refreshTokens(
  { db, securityLog }: OAuthDeps,
  { client, isAuthenticated }: AuthenticatedClient,
  { refreshToken, scope }: Refresh,
): Promise<TokenResponse> {
  // The contract's refresh request contains no secret, so a secret is required only if the client opted in.
  if (client.requireSecretOnRefresh && requiresSecret(client) && !isAuthenticated) throw invalidClientError();
  if (refreshToken === null) throw new OAuthProtocolError("invalid_request", "refresh_token is missing.");
  const find = async () => {
    if (!isWellFormedToken(refreshToken, "satchel_rt_")) return null;
    const [row] = await db.query<RefreshRow>(FIND, [hashToken(refreshToken)]);
    return row?.client_id === client.id && row.stands ? row : null;
  };
  const row = await find();
  if (!row) throw invalidGrantError();
  if (row.frozen_by !== null) throw frozenGrantError(row.frozen_by);
  const requested = scope === null ? row.scopes : readScopes(scope);
  if (!requested.every((name) => row.scopes.includes(name))) {
    throw new OAuthProtocolError("invalid_scope", "scope exceeds the granted scopes.");
  }
  if (!row.is_used) {
    const { response, values } = createTokenPair(client, { access: requested, refresh: row.scopes });
    const sealed = sealResponse(refreshToken, row.id, response);
    if ((await db.query(ROTATE, [row.id, sealed, ...values])).length > 0) return response;
  }
  // The token was used before, possibly by a concurrent request.
  const used = row.is_used ? row : await find();
  if (!used) throw invalidGrantError();
  if (used.frozen_by !== null) throw frozenGrantError(used.frozen_by);
  if (used.is_in_grace && used.sealed_answer) return openResponse(refreshToken, used.id, used.sealed_answer);
  await revokeFamily(db, used.family_id);
  securityLog("oauth.refresh_token_reused", {
    outcome: "failure",
    accountId: used.account_id,
    details: { clientId: client.id, familyId: used.family_id },
  });
  throw invalidGrantError();
}

function invalidGrantError(): OAuthProtocolError {
  const text = "The refresh token has expired, was revoked, or was already used. Authorize again.";
  return new OAuthProtocolError("invalid_grant", text);
}
