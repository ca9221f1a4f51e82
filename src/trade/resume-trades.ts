/** The repeated job of trades: whatever a process left half done is taken to its end, and what was never signed is given back. */

import { publishTransaction } from "../payments/transaction-events.ts";
import type { Statement } from "../platform/database/connection.ts";
import { release } from "../wallet/ledger.ts";
import type { TradeDeps } from "./deps.ts";
import { advanceTrade } from "./drive.ts";
import { publishTrade } from "./trade-events.ts";

const BATCH_SIZE = 100;
const CONCURRENCY = 10;
const NEVER_SIGNED = "The trade was never signed.";

// Taking a row moves its next look ahead, so that no other node takes it and a crash only means looking again.
const TAKE_DUE: Statement = {
  name: "take-due-evm-transactions",
  text: `UPDATE evm_transactions SET check_attempts = check_attempts + 1,
      next_check_at = now() + least(interval '2 seconds' * power(2, least(check_attempts, 5)), interval '60 seconds')
    WHERE id IN (
      SELECT id FROM evm_transactions WHERE next_check_at <= now() ORDER BY next_check_at LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED)
    RETURNING trade_id AS "tradeId"`,
};

const ORPHANS: Statement = {
  name: "find-unsigned-trades",
  text: `SELECT id, account_id AS "accountId" FROM transactions
    WHERE next_check_at <= now() AND type = 'trade' AND status = 'reserved' ORDER BY next_check_at LIMIT ${BATCH_SIZE}`,
};

const END_UNSIGNED: Statement = {
  name: "end-unsigned-trade",
  text: `UPDATE trades SET status = 'failed', failure_reason = '${NEVER_SIGNED}', updated_at = now()
    WHERE transaction_id = $1 AND status = 'pending' RETURNING id`,
};

/** Does all that is due. Rejects when the database is away; what fails for one trade is tried again for it. */
export async function resumeTrades(deps: TradeDeps): Promise<void> {
  await giveBackUnsigned(deps);
  for (;;) {
    const rows = await deps.db.query<{ tradeId: string }>(TAKE_DUE, []);
    const tradeIds = [...new Set(rows.map(({ tradeId }) => tradeId))];
    for (let start = 0; start < tradeIds.length; start += CONCURRENCY) {
      await Promise.all(tradeIds.slice(start, start + CONCURRENCY).map((id) => resumeOne(deps, id)));
    }
    if (rows.length < BATCH_SIZE) return;
  }
}

async function resumeOne(deps: TradeDeps, tradeId: string): Promise<void> {
  try {
    await advanceTrade(deps, tradeId, true);
  } catch (error) {
    deps.logger.warn({ err: error, tradeId }, "trade not advanced; it will be again");
  }
}

async function giveBackUnsigned(deps: TradeDeps): Promise<void> {
  for (const { id, accountId } of await deps.db.query<{ id: string; accountId: string }>(ORPHANS, [])) {
    // The reservation outlives the trade: a crash between the two comes here again.
    const [trade] = await deps.db.query<{ id: string }>(END_UNSIGNED, [id]);
    if (trade) publishTrade(deps.pubsub, accountId, trade.id);
    if (await release(deps.db, id, NEVER_SIGNED, ["reserved"])) publishTransaction(deps.pubsub, accountId, id);
  }
}
