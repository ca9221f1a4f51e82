/** `grant_type=refresh_token` (spec section 4.2, RFC 6749 section 6): refresh tokens rotate, and reuse ends the family. */
import { hashToken, isWellFormedToken } from "../accounts/secret-token.ts";
import type { Statement } from "../platform/database/connection.ts";
import { type AuthenticatedClient, mustProveSecret, refused } from "./client-authentication.ts";
import type { OAuthDeps } from "./deps.ts";
import { REFRESH_GRACE_SECONDS } from "./lifetimes.ts";
import { OAuthProtocolError } from "./oauth-protocol-error.ts";
import { revokeFamily } from "./revoke-family.ts";
import { readScopes } from "./scopes.ts";
import { openAnswer, sealAnswer } from "./sealed-answer.ts";
import { insertPair, newTokenPair, type TokenResponse } from "./token-pair.ts";

export interface Refresh {
  readonly refreshToken: string | null;
  readonly scope: string | null;
}

const FIND: Statement = {
  name: "find-refresh-token",
  text: `SELECT t.id, t.client_id, t.family_id, t.scopes, t.sealed_answer, t.consumed_at IS NOT NULL AS is_used,
      t.consumed_at > now() - interval '${REFRESH_GRACE_SECONDS} seconds' AS is_in_grace,
      t.revoked_at IS NULL AND t.expires_at > now() AND g.revoked_at IS NULL AS stands
    FROM oauth_tokens t JOIN oauth_grants g ON g.id = t.grant_id WHERE t.token_hash = $1 AND t.kind = 'refresh'`,
};

const ROTATE: Statement = {
  name: "rotate-refresh-token",
  text: `WITH used AS (
      UPDATE oauth_tokens SET consumed_at = now(), sealed_answer = $2
      WHERE id = $1 AND consumed_at IS NULL AND revoked_at IS NULL AND expires_at > now()
      RETURNING grant_id, client_id, family_id
    ) ${insertPair("used", 3)}`,
};

interface RefreshRow {
  id: string;
  client_id: string;
  family_id: string;
  scopes: string[];
  sealed_answer: Uint8Array | null;
  is_used: boolean;
  is_in_grace: boolean | null;
  stands: boolean;
}

/**
 * A new pair for a refresh token, which is used up by it. The same token within the grace, as when an answer was lost
 * or several tabs refresh at once, gives the same pair again; after it, the whole family is revoked.
 * @throws {OAuthProtocolError}
 */
export async function refreshTokens(
  { db }: OAuthDeps,
  { client, isProven }: AuthenticatedClient,
  { refreshToken, scope }: Refresh,
): Promise<TokenResponse> {
  // The contract's refresh shows no secret: it is asked for where the client turned that on.
  if (client.requireSecretOnRefresh && mustProveSecret(client) && !isProven) throw refused();
  if (refreshToken === null) throw new OAuthProtocolError("invalid_request", "refresh_token is missing.");
  const find = async () => {
    if (!isWellFormedToken(refreshToken, "satchel_rt_")) return null;
    const [row] = await db.query<RefreshRow>(FIND, [hashToken(refreshToken)]);
    return row?.client_id === client.id && row.stands ? row : null;
  };
  const row = await find();
  if (!row) throw invalid();
  const asked = scope === null ? row.scopes : readScopes(scope);
  if (!asked.every((name) => row.scopes.includes(name))) {
    throw new OAuthProtocolError("invalid_scope", "scope may only narrow what was granted.");
  }
  if (!row.is_used) {
    const { answer, values } = newTokenPair(client, { access: asked, refresh: row.scopes });
    const sealed = sealAnswer(refreshToken, row.id, answer);
    if ((await db.query(ROTATE, [row.id, sealed, ...values])).length > 0) return answer;
  }
  // Used before, or by somebody else just now.
  const used = row.is_used ? row : await find();
  if (!used) throw invalid();
  if (used.is_in_grace && used.sealed_answer) return openAnswer(refreshToken, used.id, used.sealed_answer);
  await revokeFamily(db, used.family_id);
  throw invalid();
}

function invalid(): OAuthProtocolError {
  const text = "The refresh token is not valid: it has expired, was revoked, or was used before. Authorize again.";
  return new OAuthProtocolError("invalid_grant", text);
}
