/**
 * `grant_type=refresh_token` (spec section 4.2, RFC 6749 section 6). Refresh tokens rotate; reuse revokes the family, unless
 * the response was lost.
 */
import { type FrozenBy, frozenByOf, isHeldOpen } from "../accounts/freeze/freeze-state.ts";
import { hashToken, isWellFormedToken } from "../accounts/secret-token.ts";
import type { Proof } from "../platform/crypto/dpop-proof.ts";
import type { Statement } from "../platform/database/connection.ts";
import { type AuthenticatedClient, invalidClientError, requiresSecret } from "./client-authentication.ts";
import type { OAuthDeps } from "./deps.ts";
import { claimEndpointProof } from "./dpop.ts";
import { frozenGrantError } from "./frozen-grant.ts";
import { REFRESH_GRACE_SECONDS } from "./lifetimes.ts";
import { OAuthProtocolError } from "./oauth-protocol-error.ts";
import { narrowResources, readResources } from "./resources.ts";
import { revokeFamily } from "./revoke-family.ts";
import { readScopes } from "./scopes.ts";
import { openResponse, sealResponse } from "./sealed-response.ts";
import { createTokenPair, insertPair, type TokenResponse } from "./token-pair.ts";

export interface Refresh {
  readonly refreshToken: string | null;
  readonly scope: string | null;
  readonly resource: string | null;
}

const FIND: Statement = {
  name: "find-refresh-token",
  text: `SELECT t.id, t.client_id, g.account_id, t.family_id, t.scopes, t.resources, t.dpop_jkt, t.sealed_answer, t.consumed_at IS NOT NULL AS is_used,
      extract(epoch FROM now() - t.consumed_at)::integer AS used_seconds_ago,
      t.successor_ids IS NOT NULL AND t.consumed_at > now() - interval '${REFRESH_GRACE_SECONDS} seconds' AND NOT EXISTS (
        SELECT FROM oauth_tokens s WHERE s.id = ANY(t.successor_ids) AND (s.consumed_at IS NOT NULL OR s.revoked_at IS NOT NULL)
      ) AS is_repeatable,
      (SELECT s.resources FROM oauth_tokens s WHERE s.id = t.successor_ids[1]) AS issued_resources,
      (SELECT s.dpop_jkt FROM oauth_tokens s WHERE s.id = t.successor_ids[1]) AS issued_dpop_jkt,
      t.revoked_at IS NULL AND t.expires_at > now() AND g.revoked_at IS NULL AS stands, ${frozenByOf("a")} AS frozen_by
    FROM oauth_tokens t JOIN oauth_grants g ON g.id = t.grant_id JOIN accounts a ON a.id = g.account_id WHERE t.token_hash = $1 AND t.kind = 'refresh'`,
};

const ROTATE: Statement = {
  name: "rotate-refresh-token",
  text: `WITH used AS (
      UPDATE oauth_tokens SET consumed_at = now(), sealed_answer = $2, successor_ids = ARRAY[$3::text, $7::text]
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
  resources: string[];
  dpop_jkt: string | null;
  sealed_answer: Uint8Array | null;
  is_used: boolean;
  used_seconds_ago: number | null;
  is_repeatable: boolean | null;
  /** What the access token of the repeatable response is restricted to. */
  issued_resources: string[] | null;
  issued_dpop_jkt: string | null;
  stands: boolean;
  frozen_by: FrozenBy | null;
}

/**
 * Consumes a refresh token and returns a new token pair. After a lost response, or concurrently, the same token
 * returns the same pair, until one of it is first used or an hour has passed. Later reuse revokes the whole family
 * (RFC 9700 section 4.14.2).
 * @param proof the verified proof of a key that the tokens are bound to; null for bearer tokens
 * @throws {OAuthProtocolError} `invalid_client`, `invalid_request`, `invalid_scope`, `invalid_target`, `invalid_dpop_proof` or
 *   `invalid_grant`. Also
 *   `temporarily_unavailable` while the account is frozen; the token remains valid then
 */
export async function refreshTokens(
  { db, site, securityLog }: OAuthDeps,
  { client, isAuthenticated }: AuthenticatedClient,
  { refreshToken, scope, resource }: Refresh,
  proof: Proof | null,
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
  const resources = narrowResources(row.resources, readResources(site, resource));
  requireSameKey(row.dpop_jkt, proof, isAuthenticated);
  await claimEndpointProof(db, proof);
  if (!row.is_used) {
    const { response, values } = createTokenPair(
      client,
      { access: requested, refresh: row.scopes },
      { resources: { access: resources, refresh: row.resources }, dpopJkt: proof?.thumbprint ?? null },
    );
    const sealed = sealResponse(refreshToken, row.id, response);
    if ((await db.query(ROTATE, [row.id, sealed, ...values])).length > 0) return response;
  }
  // The token was used before, possibly by a concurrent request.
  const used = row.is_used ? row : await find();
  if (!used) throw invalidGrantError();
  if (used.frozen_by !== null) throw frozenGrantError(used.frozen_by);
  if (used.is_repeatable && used.sealed_answer) {
    requireSameRestrictions(used, resources, proof);
    const response = openResponse(refreshToken, used.id, used.sealed_answer);
    return { ...response, expiresIn: Math.max(0, response.expiresIn - (used.used_seconds_ago ?? 0)) };
  }
  await revokeFamily(db, used.family_id);
  securityLog("oauth.refresh_token_reused", {
    outcome: "failure",
    accountId: used.account_id,
    details: { clientId: client.id, familyId: used.family_id },
  });
  throw invalidGrantError();
}

/**
 * Checks the key of a refresh token that is bound to one. A client that sent its secret may change the key (RFC 9449 section 5).
 * @throws {OAuthProtocolError} `invalid_dpop_proof` without a proof, `invalid_grant` for another key
 */
function requireSameKey(thumbprint: string | null, proof: Proof | null, isAuthenticated: boolean): void {
  if (thumbprint === null) return;
  if (proof === null) {
    throw new OAuthProtocolError("invalid_dpop_proof", "The refresh token is bound to a key. Send a DPoP proof.");
  }
  if (proof.thumbprint !== thumbprint && !isAuthenticated) {
    throw new OAuthProtocolError("invalid_grant", "The refresh token is bound to another key.");
  }
}

/**
 * Checks that a repeated response is the requested one: it names neither its resources nor its key.
 * @throws {OAuthProtocolError} `invalid_target` or `invalid_grant`; the response can still be repeated
 */
function requireSameRestrictions(used: RefreshRow, resources: readonly string[], proof: Proof | null): void {
  if (used.issued_dpop_jkt !== null && used.issued_dpop_jkt !== proof?.thumbprint) {
    throw new OAuthProtocolError("invalid_grant", "The refresh token was used with another key.");
  }
  const issued = new Set(used.issued_resources);
  if (issued.size === resources.length && resources.every((path) => issued.has(path))) return;
  const text = "The refresh token was used for another resource. Repeat that request, or use the new refresh token.";
  throw new OAuthProtocolError("invalid_target", text);
}

function invalidGrantError(): OAuthProtocolError {
  const text = "The refresh token has expired, was revoked, or was already used. Authorize again.";
  return new OAuthProtocolError("invalid_grant", text);
}
