/** Recurring job that completes trades left unfinished by another process and releases reservations that were never signed. */
import { randomUUID } from "node:crypto";
import { publishTransaction } from "../payments/transaction-events.ts";
import type { Statement } from "../platform/database/connection.ts";
import { selectDueFairly } from "../platform/database/due-owners.ts";
import { warnOfFailure } from "../platform/observability/failure-log.ts";
import { release } from "../wallet/ledger.ts";
import { advanceTrade } from "./advance-trade.ts";
import type { TradeDeps } from "./deps.ts";
import { publishTrade } from "./trade-events.ts";

const BATCH_SIZE = 100;
/** Wallets visited by a lease, and the most transactions that it leases of one. */
const MAX_WALLETS = 500;
const MAX_PER_WALLET = 10;
const CONCURRENCY = 10;
const NEVER_SIGNED = "The trade was never signed.";

// The ids of wallets begin with their age, so a random account selects the first. Leasing a row advances next_check_at, so no other
// node leases it and after a crash it becomes due again.
const LEASE_DUE: Statement = {
  name: "take-due-evm-transactions",
  text: `UPDATE evm_transactions SET check_attempts = check_attempts + 1,
      next_check_at = now() + least(interval '2 seconds' * power(2, least(check_attempts, 5)), interval '60 seconds')
    WHERE id = ANY(ARRAY(${selectDueFairly(
      { table: "evm_transactions", owner: "wallet_id", dueAt: "next_check_at" },
      {
        start: `coalesce((SELECT id FROM wallets WHERE account_id >= $1::uuid ORDER BY account_id LIMIT 1), '')`,
        maxOwners: MAX_WALLETS,
        maxPerOwner: MAX_PER_WALLET,
        maxRows: BATCH_SIZE,
      },
    )}))
    RETURNING trade_id AS "tradeId"`,
};

const FIND_UNSIGNED: Statement = {
  name: "find-unsigned-trades",
  text: `SELECT id, account_id AS "accountId" FROM transactions
    WHERE next_check_at <= now() AND type = 'trade' AND status = 'reserved' ORDER BY next_check_at LIMIT ${BATCH_SIZE}`,
};

const END_UNSIGNED: Statement = {
  name: "end-unsigned-trade",
  text: `UPDATE trades SET status = 'failed', failure_reason = '${NEVER_SIGNED}', updated_at = now()
    WHERE transaction_id = $1 AND status = 'pending' RETURNING id`,
};

/** Processes all due trades. Rejects when the database is unavailable; a failure of one trade is logged and retried later. */
export async function resumeTrades(deps: TradeDeps): Promise<void> {
  await releaseUnsigned(deps);
  for (;;) {
    const rows = await deps.db.query<{ tradeId: string }>(LEASE_DUE, [randomUUID()]);
    const tradeIds = [...new Set(rows.map(({ tradeId }) => tradeId))];
    for (let start = 0; start < tradeIds.length; start += CONCURRENCY) {
      await Promise.all(tradeIds.slice(start, start + CONCURRENCY).map((id) => resumeOne(deps, id)));
    }
    // A wallet with further due transactions has this many in the batch.
    if (rows.length < MAX_PER_WALLET) return;
  }
}

async function resumeOne(deps: TradeDeps, tradeId: string): Promise<void> {
  try {
    await advanceTrade(deps, tradeId, true);
  } catch (error) {
    warnOfFailure(deps.logger, error, { tradeId }, "Trade not advanced; retry scheduled");
  }
}

async function releaseUnsigned(deps: TradeDeps): Promise<void> {
  for (const { id, accountId } of await deps.db.query<{ id: string; accountId: string }>(FIND_UNSIGNED, [])) {
    // The trade ends before its reservation, so a crash between the two leaves a row that is found again.
    const [trade] = await deps.db.query<{ id: string }>(END_UNSIGNED, [id]);
    if (trade) publishTrade(deps.pubsub, accountId, trade.id);
    if (await release(deps.db, id, NEVER_SIGNED, ["reserved"])) publishTransaction(deps.pubsub, accountId, id);
  }
}
