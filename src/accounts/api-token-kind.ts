/** API tokens as credentials. They are looked up in batches, because every request carries one. */
import type { Database, Statement } from "../platform/database/connection.ts";
import { type FrozenBy, frozenByOf } from "./freeze/freeze-state.ts";
import { createTokenFinder, HAS_ONE_OF_HASHES, LAST_USED_PRECISION } from "./token-finder.ts";
import type { TokenKind } from "./token-kind.ts";
import type { Viewer } from "./viewer.ts";

// The lateral is evaluated once for each token. Joined otherwise, the planner may read all tokens of an account, or all budgets.
const FIND_API_TOKENS: Statement = {
  name: "find-api-tokens",
  text: `SELECT encode(t.token_hash, 'hex') AS token_hash_hex, t.id, t.account_id, t.scopes, t.networks, t.allowed_hosts, t.allowed_payees, t.budget_ids, t.expires_at,
      coalesce(t.last_used_at < now() - interval '${LAST_USED_PRECISION}', true) AS is_to_be_touched, s.*
    FROM api_tokens t CROSS JOIN LATERAL (
      SELECT a.x402_enabled_at IS NOT NULL AS x402_enabled, a.strict_scopes, c.available_micro_usd,
        ${frozenByOf("a")} AS frozen_by
      FROM accounts a JOIN credits c ON c.account_id = a.id
      WHERE a.id = t.account_id
        AND NOT EXISTS (SELECT 1 FROM budgets b WHERE b.id = ANY(t.budget_ids) AND b.closed_at <= now()) LIMIT 1
    ) AS s
    WHERE ${HAS_ONE_OF_HASHES} AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > now())`,
};

const TOUCH_API_TOKENS: Statement = {
  name: "touch-api-tokens",
  text: "UPDATE api_tokens SET last_used_at = now() WHERE id = ANY($1)",
};

interface ApiTokenRow {
  token_hash_hex: string;
  id: string;
  account_id: string;
  scopes: readonly string[];
  networks: readonly string[];
  allowed_hosts: readonly string[];
  allowed_payees: readonly string[];
  budget_ids: readonly string[];
  expires_at: Date | null;
  is_to_be_touched: boolean;
  x402_enabled: boolean;
  frozen_by: FrozenBy | null;
  strict_scopes: boolean;
  available_micro_usd: bigint;
}

const IS_VALID: Statement = {
  name: "is-api-token-valid",
  text: `SELECT t.id FROM api_tokens t WHERE t.id = $1 AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > now())
      AND NOT EXISTS (SELECT 1 FROM budgets b WHERE b.id = ANY(t.budget_ids) AND b.closed_at <= now())`,
};

export const apiTokenKind: TokenKind = {
  prefix: "satchel_sk_",
  credentialKind: "api_token",
  find: findApiToken,
  async isStillValid(db, id) {
    return (await db.query(IS_VALID, [id])).length > 0;
  },
};

async function findApiToken(db: Database, token: string): Promise<Viewer | null> {
  const row = await findRow(db, token);
  if (!row) return null;
  return {
    kind: "account",
    accountId: row.account_id,
    credentialId: row.id,
    credentialKind: "api_token",
    budgetId: row.id,
    budgetIds: row.budget_ids,
    scopes: row.scopes,
    strictScopes: row.strict_scopes,
    rules: {
      networks: row.networks,
      allowedHosts: row.allowed_hosts,
      allowedPayees: row.allowed_payees,
      merchantUrl: null,
    },
    x402Enabled: row.x402_enabled,
    frozenBy: row.frozen_by,
    creditMicroUsd: row.available_micro_usd,
    expiresAtMs: row.expires_at?.getTime() ?? null,
    isAdministrator: false,
    authenticatedAtMs: null,
  };
}

const findRow = createTokenFinder(async (db, hashes) => {
  const rows = await db.query<ApiTokenRow>(FIND_API_TOKENS, [hashes]);
  const touched = rows.filter(({ is_to_be_touched }) => is_to_be_touched);
  if (touched.length > 0) await db.query(TOUCH_API_TOKENS, [touched.map(({ id }) => id)]);
  return rows;
});
