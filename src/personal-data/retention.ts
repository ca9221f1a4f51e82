/** Retention of what a deletion leaves of an account. */
import { countDue, type DueRows, findOldest, type RetentionRule, selectDue } from "../platform/retention/rule.ts";

const DELETED: DueRows = {
  name: "deleted-accounts",
  table: "account_deletions",
  key: ["id"],
  time: "completed_at",
  where: "NOT EXISTS (SELECT FROM transactions t WHERE t.account_id = account_deletions.account_id)",
};
const WALLET_TABLES = ["chain_audit_accounts", "chain_audit_balances", "chain_transfers", "chain_differences"];

export const PERSONAL_DATA_RETENTION: readonly RetentionRule[] = [
  {
    ...DELETED,
    removes: "row",
    remove: {
      name: "retention-deleted-accounts",
      text: `WITH ${selectDue(DELETED, ["account_id"])},
        former AS MATERIALIZED (SELECT w.id FROM wallets w JOIN due USING (account_id)),
        ${WALLET_TABLES.map((table) => `${table}_ AS (DELETE FROM ${table} t USING former WHERE t.wallet_id = former.id)`).join(",\n        ")},
        wallets_ AS (DELETE FROM wallets w USING former WHERE w.id = former.id),
        deletions AS (DELETE FROM account_deletions t USING due WHERE t.id = due.id) ${countDue(DELETED)}`,
    },
    oldest: findOldest(DELETED),
    data: "Proof of an account's deletion, and the addresses of its wallet with their transfers on chain",
    since: "deletion of the account",
    period: { setting: "LEDGER_DAYS" },
  },
];
