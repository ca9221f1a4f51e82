// @module-tag postgresql
/** Query plans of the money statements: the index that each part uses. */
import { describe, expect, it, onTestFinished } from "vitest";
import type { Database, Statement } from "../../src/platform/database/connection.ts";
import { CLOSE, closeParameters } from "../../src/wallet/close-statement.ts";
import type { Reservation } from "../../src/wallet/reservation-terms.ts";
import { RESERVE_MANY, RESERVE_ONE, reserveParameters } from "../../src/wallet/reserve-statement.ts";
import { createTestDatabase } from "../support/database.ts";
import { PLAIN_TERMS } from "../support/plain-terms.ts";
import { explainPrepared, type PlanMode, type PlanNode } from "../support/query-plans.ts";

const PAYERS = 20_000;
const BATCH = 32;

/** Returns the id of the n-th account, starting at 1. */
const account = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
/** Creates accounts, each with a wallet, a hold, credit, a budget of the account, a budget of a token, a payment and a key. */
const FILL = `
  CREATE FUNCTION account(n int) RETURNS uuid LANGUAGE sql
    AS $$ SELECT ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid $$;
  INSERT INTO accounts (id, x402_enabled_at) SELECT account(n), now() FROM generate_series(1, ${PAYERS}) n;
  INSERT INTO wallets (id, account_id, evm_address, solana_address, sealed_keys, wrapped_data_key, kek_id)
    SELECT 'wallet-' || n, account(n), n, n, '', '', 'kek' FROM generate_series(1, ${PAYERS}) n;
  INSERT INTO credits (account_id, available_micro_usd) SELECT account(n), 0 FROM generate_series(1, ${PAYERS}) n;
  INSERT INTO wallet_holds (wallet_id, network, asset)
    SELECT 'wallet-' || n, 'base', '0xusdc' FROM generate_series(1, ${PAYERS}) n;
  INSERT INTO budgets (id, account_id, day, month)
    SELECT prefix || account(n), account(n), now()::date, now()::date
    FROM generate_series(1, ${PAYERS}) n, unnest(ARRAY['', 'token-']) AS prefix;
  INSERT INTO idempotency_records (account_id, key, request_sha256, leased_until)
    SELECT account(n), 'key', '', now() FROM generate_series(1, ${PAYERS}) n;
  INSERT INTO transactions (id, account_id, type, status, direction, amount_atomic, amount_micro_usd, budget_ids, budget_day)
    SELECT 'tx-' || n, account(n), 'x402', 'signed', 'out', 1, 1, ARRAY[account(n)::text, 'token-' || account(n)], now()::date
    FROM generate_series(1, ${PAYERS}) n`;

/** Returns the names of the indexes that a plan uses, and `all of <table>` for each sequential scan. `service_freeze` has one row at most. */
function accessOf(node: PlanNode): string[] {
  if (node["Relation Name"] === "service_freeze") return [];
  const scanned = node["Node Type"] === "Seq Scan" ? [`all of ${node["Relation Name"]}`] : [];
  const below = (node.Plans ?? []).filter((child) => !child["Subplan Name"]?.startsWith("CTE "));
  return [
    ...scanned,
    ...(node["Index Name"] ? [node["Index Name"]] : []),
    ...(node["Conflict Arbiter Indexes"] ?? []),
    ...below.flatMap(accessOf),
  ];
}

/** Returns the accesses of each part of a prepared statement, in alphabetical order. */
async function planOf(db: Database, { text }: Statement, parameters: readonly unknown[], mode: PlanMode) {
  const root = await explainPrepared(db, text, parameters, mode);
  const parts = (root.Plans ?? []).filter((node) => node["Subplan Name"]?.startsWith("CTE "));
  const accesses = parts.map(
    (node) => [node["Subplan Name"]?.slice("CTE ".length), accessOf(node).toSorted()] as const,
  );
  return Object.fromEntries(
    [["result", accessOf(root)] as const, ...accesses].filter(([, access]) => access.length > 0),
  );
}

const reservations = (count: number) =>
  reserveParameters(
    Array.from({ length: count }, (_, n) => {
      const walletId = `wallet-${n + 1}`;
      const reservation: Reservation = {
        accountId: account(n + 1),
        type: "x402",
        network: "base",
        asset: "0xusdc",
        amountAtomic: 1n,
        amountMicroUsd: 1n,
        budgetIds: [account(n + 1), `token-${account(n + 1)}`],
        source: n % 2 ? { kind: "credit", walletId } : { kind: "wallet", walletId, balanceAtomic: 1n, readAfter: null },
        scheme: "exact",
        payTo: "0xshop",
        ...PLAIN_TERMS,
      };
      return { id: `new-${n + 1}`, reservation };
    }),
  );

const closings = (count: number) =>
  closeParameters(
    Array.from({ length: count }, (_, n) => ({
      id: `tx-${n + 1}`,
      status: "settled" as const,
      from: ["signed"] as const,
      charged: { chargedAtomic: 1n, chargedMicroUsd: 1n },
      txHash: null,
      reason: null,
    })),
  );

describe("the query plans of the money statements", () => {
  const RESERVE_ACCESS = {
    accounts_locked: ["accounts_pkey"],
    admitted: ["idempotency_records_pkey", "transactions_request_sha256_idx"],
    budgets_charged: ["budgets_pkey", "budgets_pkey", "transactions_open_upto_idx"],
    credits_charged: ["credits_pkey"],
    holds_placed: ["wallet_holds_pkey"],
  };
  const CLOSE_ACCESS = {
    closed: ["transactions_pkey"],
    accounts_locked: ["accounts_pkey"],
    budgets_refunded: ["budgets_pkey"],
    credits_refunded: ["credits_pkey"],
    holds_released: ["wallet_holds_pkey"],
  };

  async function expectIndexes(db: Database) {
    for (const mode of ["custom", "generic"] as const) {
      expect(await planOf(db, RESERVE_ONE, reservations(1), mode)).toEqual(RESERVE_ACCESS);
      expect(await planOf(db, RESERVE_MANY, reservations(BATCH), mode)).toEqual(RESERVE_ACCESS);
      expect(await planOf(db, CLOSE, closings(1), mode)).toEqual(CLOSE_ACCESS);
      expect(await planOf(db, CLOSE, closings(BATCH), mode)).toEqual(CLOSE_ACCESS);
    }
  }

  it("find the ledger rows to close by index even in a new table", async () => {
    const { db, close } = await createTestDatabase();
    onTestFinished(close);
    expect(await planOf(db, CLOSE, closings(1), "custom")).toMatchObject({ closed: ["transactions_pkey"] });
  });

  it("use an index in each part that reads a table, with and without statistics", async () => {
    const { db, close } = await createTestDatabase();
    onTestFinished(close);
    await db.executeSql(FILL);
    await expectIndexes(db);
    await db.executeSql("ANALYZE");
    await expectIndexes(db);
  });
});
