/** Access tokens as credentials. They are looked up in batches, because every request carries one. */

import { type FrozenBy, frozenByOf } from "../accounts/freeze/freeze-state.ts";
import { createTokenFinder, HAS_ONE_OF_HASHES, LAST_USED_PRECISION } from "../accounts/token-finder.ts";
import { InvalidTokenError, type TokenKind, type TokenRequest } from "../accounts/token-kind.ts";
import type { Viewer } from "../accounts/viewer.ts";
import type { Database, Statement } from "../platform/database/connection.ts";
import { shareQueries } from "../platform/database/shared-query.ts";
import { isContractRoute } from "../platform/http/contract-routes.ts";
import { coversResource, resourceOfPath } from "../platform/http/resources.ts";
import { withoutReviewedScopes } from "./clients/restrictions.ts";
import { isRestricted, isUsable } from "./clients/status.ts";
import { requireKey } from "./dpop.ts";

/**
 * A token is valid while the token, its grant, the grant's budgets and the application are. Each request checks all of
 * them.
 */
const IS_TOKEN_ACTIVE = "t.kind = 'access' AND t.revoked_at IS NULL AND t.expires_at > now()";
const IS_GRANT_ACTIVE = `g.revoked_at IS NULL AND ${isUsable("o")} AND (o.registration <> 'document' OR $2)
        AND NOT EXISTS (SELECT FROM budgets b WHERE b.id IN (g.id, g.account_id::text) AND b.closed_at <= now())`;

// The laterals force a nested loop by primary key: without statistics the planner would scan all grants first.
const FIND: Statement = {
  name: "find-access-tokens",
  text: `SELECT encode(t.token_hash, 'hex') AS token_hash_hex, t.id, t.scopes, t.resources, t.dpop_jkt, t.expires_at, t.consumed_at IS NULL AS is_first_use, s.*
    FROM oauth_tokens t CROSS JOIN LATERAL (
      SELECT g.id AS grant_id, g.account_id, g.networks,
        coalesce(g.last_used_at < now() - interval '${LAST_USED_PRECISION}', true) AS is_to_be_touched, a.x402_enabled_at IS NOT NULL AS x402_enabled,
        a.strict_scopes OR o.strict_scopes OR g.strict_scopes AS strict_scopes, o.waiver_on_routes_only, ${isRestricted("o")} AS is_unreviewed, c.available_micro_usd,
        ${frozenByOf("a")} AS frozen_by
      FROM oauth_grants g
        CROSS JOIN LATERAL (SELECT status, registration, strict_scopes, waiver_on_routes_only FROM oauth_clients WHERE id = g.client_id LIMIT 1) AS o
        JOIN accounts a ON a.id = g.account_id JOIN credits c ON c.account_id = g.account_id
      WHERE g.id = t.grant_id AND ${IS_GRANT_ACTIVE} LIMIT 1
    ) AS s
    WHERE ${HAS_ONE_OF_HASHES} AND ${IS_TOKEN_ACTIVE}`,
};

const IS_VALID: Statement = {
  name: "is-access-token-valid",
  text: `SELECT t.id FROM oauth_tokens t JOIN oauth_grants g ON g.id = t.grant_id JOIN oauth_clients o ON o.id = g.client_id
    WHERE t.id = $1 AND ${IS_TOKEN_ACTIVE} AND ${IS_GRANT_ACTIVE}`,
};

// The first use of an access token ends the repetition of the response that contained it.
const RECORD_USE: Statement = {
  name: "record-access-token-use",
  text: `WITH used AS (UPDATE oauth_tokens SET consumed_at = now() WHERE id = ANY($2) AND consumed_at IS NULL)
    UPDATE oauth_grants SET last_used_at = now() WHERE id = ANY($1)`,
};

interface AccessTokenRow {
  token_hash_hex: string;
  id: string;
  scopes: readonly string[];
  resources: readonly string[];
  dpop_jkt: string | null;
  expires_at: Date;
  is_first_use: boolean;
  grant_id: string;
  account_id: string;
  networks: readonly string[];
  is_to_be_touched: boolean;
  x402_enabled: boolean;
  frozen_by: FrozenBy | null;
  strict_scopes: boolean;
  waiver_on_routes_only: boolean;
  is_unreviewed: boolean;
  available_micro_usd: bigint;
}

/** @param acceptsDocuments whether tokens of applications with a client ID metadata document are accepted */
export function createAccessTokenKind(acceptsDocuments: boolean): TokenKind {
  const findRow = createTokenFinder((db, hashes) => db.query<AccessTokenRow>(FIND, [hashes, acceptsDocuments]));
  return {
    prefix: "satchel_at_",
    credentialKind: "access_token",
    find: (db, token, request) => findAccessToken(findRow, db, token, request),
    async isStillValid(db, id) {
      return (await db.query(IS_VALID, [id, acceptsDocuments])).length > 0;
    },
  };
}

async function findAccessToken(
  findRow: (db: Database, token: string) => Promise<AccessTokenRow | null>,
  db: Database,
  token: string,
  request: TokenRequest | null,
): Promise<Viewer | null> {
  const row = await findRow(db, token);
  if (!row) return null;
  requireAudience(row.resources, request);
  await requireKey(db, token, row.dpop_jkt, request);
  // Only after the checks: a refused request is no use of the token.
  if (row.is_to_be_touched || row.is_first_use) await recordUse(db, row);
  return {
    kind: "account",
    accountId: row.account_id,
    credentialId: row.id,
    credentialKind: "access_token",
    budgetId: row.grant_id,
    budgetIds: [row.account_id, row.grant_id],
    // A client whose document changed has fewer rights than its grants until it is reviewed again.
    scopes: row.is_unreviewed ? withoutReviewedScopes(row.scopes) : row.scopes,
    strictScopes: row.strict_scopes || (row.waiver_on_routes_only && !(request && isContractRoute(request))),
    rules: { networks: row.networks, allowedHosts: [], allowedPayees: [], merchantUrl: null },
    x402Enabled: row.x402_enabled,
    frozenBy: row.frozen_by,
    creditMicroUsd: row.available_micro_usd,
    expiresAtMs: row.expires_at.getTime(),
    isAdministrator: false,
    isUnreviewed: row.is_unreviewed,
    authenticatedAtMs: null,
  };
}

/** @throws {InvalidTokenError} if the token was issued for other resources (RFC 8707) */
function requireAudience(audience: readonly string[], request: TokenRequest | null): void {
  if (audience.length === 0) return;
  if (request !== null && coversResource(audience, resourceOfPath(request.path))) return;
  throw new InvalidTokenError("This token was issued for another resource of this service.");
}

/** Records the uses of tokens. Concurrent ones share a statement. */
const recordUse = shareQueries<AccessTokenRow, null>(async (db, rows) => {
  const touched = rows.filter((row) => row.is_to_be_touched).map((row) => row.grant_id);
  const used = rows.filter((row) => row.is_first_use).map((row) => row.id);
  // Sorted, so that nodes lock the rows in the same order.
  await db.query(RECORD_USE, [[...new Set(touched)].sort(), [...new Set(used)].sort()]);
  return rows.map(() => null);
});
