/** Trades that have not ended, with what can still happen to them during a freeze. */
import { type InFlight, MAX_IN_FLIGHT } from "../accounts/freeze/in-flight.ts";
import type { Database, Statement } from "../platform/database/connection.ts";

const FIND: Statement = {
  name: "in-flight-trades",
  text: `SELECT t.id, t.account_id, t.sell_symbol, t.buy_symbol, x.amount_micro_usd,
      EXISTS (SELECT FROM evm_transactions e WHERE e.trade_id = t.id AND e.purpose = 'swap' AND e.status = 'signed') AS is_swap_sent,
      x.created_at
    FROM transactions x JOIN trades t ON t.transaction_id = x.id
    WHERE x.next_check_at IS NOT NULL AND x.type = 'trade' AND x.status IN ('reserved', 'signed')
      AND t.status NOT IN ('settled', 'failed') AND ($1::uuid IS NULL OR x.account_id = $1)
    UNION ALL
    SELECT g.id, g.account_id, 'Gas', 'a trade', x.amount_micro_usd, true, g.created_at
    FROM gas_purchases g JOIN transactions x ON x.id = g.transaction_id
    WHERE g.next_check_at IS NOT NULL AND ($1::uuid IS NULL OR g.account_id = $1)
    ORDER BY created_at DESC LIMIT ${MAX_IN_FLIGHT}`,
};

interface TradeRow {
  id: string;
  account_id: string;
  sell_symbol: string;
  buy_symbol: string;
  amount_micro_usd: bigint;
  is_swap_sent: boolean;
}

/** Returns the open trades of the account, or of all accounts if it is null; newest first. */
export async function listInFlightTrades(
  { db }: { readonly db: Database },
  accountId: string | null,
): Promise<InFlight[]> {
  const rows = await db.query<TradeRow>(FIND, [accountId]);
  return rows.map((row) => ({
    kind: "trade",
    id: row.id,
    accountId: row.account_id,
    outlook: row.is_swap_sent ? "may_be_mined" : "never_signed",
    amountMicroUsd: row.amount_micro_usd,
    counterparty: `${row.sell_symbol} for ${row.buy_symbol}`,
    until: null,
  }));
}
