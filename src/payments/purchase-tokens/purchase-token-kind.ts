/**
 * One-time purchase tokens as credentials (spec sections 3.1 and 5). A token gives access to the fetch proxy for five minutes, or
 * until it has an outstanding or settled payment. It then remains valid for one more day, only for that payment's Idempotency-Key.
 * The stored response is returned, or the same signed bytes are sent again. Any other use fails with `purchase_token_used`. A payment
 * released within the five minutes leaves the token unused.
 */
import { type FrozenBy, frozenByOf } from "../../accounts/freeze/freeze-state.ts";
import { hashToken } from "../../accounts/secret-token.ts";
import type { TokenKind } from "../../accounts/token-kind.ts";
import type { AccountViewer } from "../../accounts/viewer.ts";
import type { Database, Statement } from "../../platform/database/connection.ts";

// A token ends with the credential that created it: the last condition checks the budgets of that credential.
const SELECT_VALID = `SELECT p.id, p.account_id, p.merchant_url, p.network, p.allowed_payees, p.budget_ids, p.expires_at,
      a.x402_enabled_at IS NOT NULL AS x402_enabled, a.strict_scopes, c.available_micro_usd,
      ${frozenByOf("a")} AS frozen_by
    FROM purchase_tokens p
    JOIN accounts a ON a.id = p.account_id
    JOIN credits c ON c.account_id = p.account_id
    WHERE p.revoked_at IS NULL
      AND (p.expires_at > now() OR p.expires_at > now() - interval '1 day'
        AND EXISTS (SELECT 1 FROM transactions x WHERE x.purchase_token_id = p.id))
      AND NOT EXISTS (SELECT 1 FROM budgets b WHERE b.id = ANY(p.budget_ids) AND b.id <> p.id AND b.closed_at <= now())`;

const FIND_BY_HASH: Statement = { name: "find-purchase-token", text: `${SELECT_VALID} AND p.token_hash = $1` };
const FIND_OWN: Statement = {
  name: "find-own-purchase-token",
  text: `${SELECT_VALID} AND p.id = $1 AND p.account_id = $2::uuid AND $3 = ANY(p.budget_ids)`,
};
const IS_VALID: Statement = { name: "is-purchase-token-valid", text: `${SELECT_VALID} AND p.id = $1` };

interface PurchaseTokenRow {
  id: string;
  account_id: string;
  merchant_url: string;
  network: string;
  allowed_payees: readonly string[];
  budget_ids: readonly string[];
  expires_at: Date;
  x402_enabled: boolean;
  frozen_by: FrozenBy | null;
  strict_scopes: boolean;
  available_micro_usd: bigint;
}

export const purchaseTokenKind: TokenKind = {
  prefix: "satchel_pt_",
  credentialKind: "purchase_token",
  async find(db, token) {
    return viewerOf(await db.query<PurchaseTokenRow>(FIND_BY_HASH, [hashToken(token)]));
  },
  async isStillValid(db, id) {
    return (await db.query(IS_VALID, [id])).length > 0;
  },
};

/**
 * Returns the viewer of one of the account's tokens, as if the token had been presented. Returns null if the token does not exist, has
 * expired, or does not count against the caller's budget. An API token may not pay with a token that a wider credential created.
 */
export async function findPurchaser(
  db: Database,
  { accountId, budgetId }: Pick<AccountViewer, "accountId" | "budgetId">,
  tokenId: string,
): Promise<AccountViewer | null> {
  return viewerOf(await db.query<PurchaseTokenRow>(FIND_OWN, [tokenId, accountId, budgetId]));
}

function viewerOf([row]: readonly PurchaseTokenRow[]): AccountViewer | null {
  if (!row) return null;
  return {
    kind: "account",
    accountId: row.account_id,
    credentialId: row.id,
    credentialKind: "purchase_token",
    budgetId: row.id,
    budgetIds: row.budget_ids,
    scopes: ["payments:sign"],
    strictScopes: row.strict_scopes,
    rules: {
      networks: [row.network],
      allowedHosts: [],
      allowedPayees: row.allowed_payees,
      merchantUrl: row.merchant_url,
    },
    x402Enabled: row.x402_enabled,
    frozenBy: row.frozen_by,
    creditMicroUsd: row.available_micro_usd,
    expiresAtMs: row.expires_at.getTime(),
    isAdministrator: false,
    authenticatedAtMs: null,
  };
}
