/** Event sources of payments and trades, read from the ledger and the trades. */
import type { PaymentEventData, TradeEventData } from "../../events/event-data.ts";
import { defineSource, type SourceRow } from "../../events/event-source.ts";
import { formatDecimal, formatUsd } from "../../platform/money.ts";
import { findNetwork, USDC_DECIMALS } from "../../wallet/networks.ts";

interface PaymentRow extends SourceRow {
  readonly id: string;
  readonly kind: string;
  readonly status: string;
  readonly direction: string;
  readonly network: string | null;
  readonly asset: string | null;
  readonly charged_atomic: string;
  readonly fee_micro_usd: bigint;
  readonly paid_from_credit: boolean;
  readonly scheme: string | null;
  readonly resource: string | null;
  readonly pay_to: string | null;
  readonly tx_hash: string | null;
  readonly failure_reason: string | null;
  readonly created_at: Date;
  readonly settled_at: Date | null;
}

/** Ended payments. Excludes ledger rows of trades, which have their own events, and credits, which are not payments. */
export const paymentEvents = defineSource<PaymentRow, PaymentEventData>({
  name: "payments",
  channel: "transaction",
  sql: `SELECT account_id, id AS row_id, id AS subject_id, 'payment.' || status AS type, updated_at AS occurred_at, updated_at,
      id, type AS kind, status, direction, network, asset, coalesce(settled_atomic, amount_atomic) AS charged_atomic,
      fee_micro_usd, paid_from_credit, scheme, resource, pay_to, tx_hash, failure_reason, created_at, settled_at
    FROM transactions WHERE status IN ('settled', 'released', 'failed') AND type NOT IN ('trade', 'credit')`,
  dataOf: (row) => ({
    id: row.id,
    type: row.kind,
    status: row.status,
    direction: row.direction,
    amount: formatDecimal(BigInt(row.charged_atomic), findDecimals(row), 2),
    amountAtomic: row.charged_atomic,
    asset: row.asset,
    network: row.network,
    scheme: row.scheme,
    resource: row.resource,
    payTo: row.pay_to,
    txHash: row.tx_hash,
    paidFromCredit: row.paid_from_credit,
    fee: formatUsd(row.fee_micro_usd),
    failureReason: row.failure_reason,
    createdAt: row.created_at.toISOString(),
    settledAt: row.settled_at?.toISOString() ?? null,
  }),
});

function findDecimals({ asset, network }: PaymentRow): number {
  return (asset === "native" && network !== null && findNetwork(network)?.nativeDecimals) || USDC_DECIMALS;
}

interface TradeRow extends SourceRow {
  readonly id: string;
  readonly status: string;
  readonly network: string;
  readonly transaction_id: string;
  readonly sell_token: string;
  readonly sell_symbol: string;
  readonly sell_decimals: number;
  readonly sold_atomic: string;
  readonly buy_token: string;
  readonly buy_symbol: string;
  readonly buy_decimals: number;
  readonly min_buy_atomic: string;
  readonly bought_atomic: string | null;
  readonly failure_reason: string | null;
  readonly created_at: Date;
}

/** Ended trades. */
export const tradeEvents = defineSource<TradeRow, TradeEventData>({
  name: "trades",
  channel: "trade",
  sql: `SELECT account_id, id AS row_id, id AS subject_id, 'trade.' || status AS type, updated_at AS occurred_at, updated_at,
      id, status, network, transaction_id, sell_token, sell_symbol, sell_decimals,
      coalesce(sold_atomic, sell_amount_atomic) AS sold_atomic, buy_token, buy_symbol,
      buy_decimals, min_buy_atomic, bought_atomic, failure_reason, created_at
    FROM trades WHERE status IN ('settled', 'failed')`,
  dataOf: (row) => ({
    id: row.id,
    status: row.status,
    network: row.network,
    transactionId: row.transaction_id,
    sellToken: { symbol: row.sell_symbol, address: row.sell_token, decimals: row.sell_decimals },
    buyToken: { symbol: row.buy_symbol, address: row.buy_token, decimals: row.buy_decimals },
    sellAmount: formatDecimal(BigInt(row.sold_atomic), row.sell_decimals),
    buyAmount: row.bought_atomic === null ? null : formatDecimal(BigInt(row.bought_atomic), row.buy_decimals),
    minBuyAmount: formatDecimal(BigInt(row.min_buy_atomic), row.buy_decimals),
    failureReason: row.failure_reason,
    createdAt: row.created_at.toISOString(),
  }),
});
