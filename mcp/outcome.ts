/** What a failed call states about the money, the email or the order that it is about. */
import type { ErrorCode } from "../src/platform/error-codes.ts";
import type { CallRecords, Outlay, OutlayStatus, TradeOutlay } from "./records.ts";
import type { Failure, Outcome, Subject, ToolError } from "./tool-error.ts";

/** Codes after which the operation may have been carried out without a response. */
const UNKNOWN_OUTCOME: readonly ErrorCode[] = ["internal_error", "service_unavailable", "operation_repeated"];

/** The records under a key, or `unreadable` if the database did not respond. */
type Found<Record> = Record | "unreadable";

/**
 * Returns what a failed call states.
 * @param key the idempotency key that the call used; null if it used none
 */
export async function describeOutcome(
  subject: Subject,
  { failure, details }: ToolError,
  key: string | null,
  records: CallRecords,
): Promise<Outcome> {
  const read = async <Value>(find: (key: string) => Promise<Value>, none: Value): Promise<Found<Value>> =>
    key === null ? none : await find(key).catch(() => "unreadable" as const);
  if (subject === "money") return describeMoney(failure, await read(records.findOutlays, []));
  const storedId = await read(records.findStoredId, null);
  return subject === "email" ? describeEmail(failure, details, storedId) : describeOrder(failure, storedId);
}

const UNKNOWN_PAYMENT =
  "Unknown. Repeat the call with the same payment_id, quote_id or idempotency_key, which never pays twice. Without one, check list_transactions first.";

function describeMoney({ code, paidTransactionId }: Failure, outlays: Found<readonly Outlay[]>): Outcome {
  if (code === "idempotency_in_flight") {
    return { money: "An equal call is still running. No second payment was made." };
  }
  if (outlays === "unreadable") return { money: UNKNOWN_PAYMENT };
  const [outlay] = outlays;
  if (outlay) {
    return {
      money: outlays.map(describeOutlay).join(" "),
      transaction_id: outlay.transactionId,
      ...idsOf(outlay.trade),
    };
  }
  if (paidTransactionId) {
    const money = `A payment was sent, and the other side may have charged it: ${paidTransactionId}. Check it with get_transaction. Repeat this call with the same arguments to continue it; it is not charged twice.`;
    return { money, transaction_id: paidTransactionId };
  }
  return { money: UNKNOWN_OUTCOME.includes(code) ? UNKNOWN_PAYMENT : "This call made no payment." };
}

const PAYMENTS: Readonly<Record<OutlayStatus, string>> = {
  reserved: "is reserved and not signed, so nothing was charged. Check it with get_transaction.",
  signed:
    "was signed, and the other side may have charged it. Check it with get_transaction. Repeat this call with the same arguments to continue it; it is not charged twice.",
  settled: "was charged. A repeated call with the same key does not charge again.",
  released: "was released and charged nothing.",
  failed: "failed and charged nothing.",
};

const TRADES: Readonly<Record<OutlayStatus, (trade: TradeOutlay) => string>> = {
  reserved: () => "is reserved and not signed. Nothing was sold.",
  signed: () => "was signed and may still sell the tokens. Check it with get_request_status.",
  settled: ({ sold, bought }) =>
    `sold ${sold ?? "an unknown amount"} and bought ${bought ?? "an unknown amount"}. The network fee was spent.`,
  released: () => "ended before it was signed. Nothing was sold.",
  failed: () => "was not executed on the network. Nothing was sold, but its network fee was spent.",
};

function describeOutlay({ transactionId, status, trade }: Outlay): string {
  if (!trade) return `Payment ${transactionId} ${PAYMENTS[status]}`;
  const { tradeId, txHash, networkFees } = trade;
  const fees = networkFees.map(
    ({ transactionId: id, amount }) =>
      `The wallet authorized ${amount} for native coin (${id}). What the network fee does not use remains in the wallet.`,
  );
  return [`Trade ${tradeId}${txHash ? ` (transaction ${txHash})` : ""} ${TRADES[status](trade)}`, ...fees].join(" ");
}

const idsOf = (trade: TradeOutlay | null) =>
  trade ? { trade_id: trade.tradeId, ...(trade.txHash ? { tx_hash: trade.txHash } : {}) } : {};

function describeEmail({ code }: Failure, details: ToolError["details"], storedId: Found<string | null>): Outcome {
  const { is_queued: isQueued, mail_message: message } = details as {
    is_queued?: boolean;
    mail_message?: { message_id: string };
  };
  if (isQueued !== undefined) {
    const id = message?.message_id;
    const email = isQueued
      ? `Email ${id} is queued, and delivery is retried for up to three days. Do not send it again.`
      : `Email ${id} was refused and not sent.`;
    return { email, email_id: id };
  }
  if (code === "idempotency_in_flight") return { email: "The first call with this key is still running." };
  if (storedId !== null && storedId !== "unreadable") {
    return {
      email: `An earlier call with this key stored email ${storedId}: check get_email. This call sent no other email.`,
      email_id: storedId,
    };
  }
  const isUnknown = storedId === "unreadable" || UNKNOWN_OUTCOME.includes(code);
  return {
    email: isUnknown
      ? "Unknown. Repeat the call with the same idempotency_key, which sends one email. Without one, check list_emails first."
      : "This call sent no email.",
  };
}

function describeOrder({ code }: Failure, storedId: Found<string | null>): Outcome {
  if (code === "idempotency_in_flight") return { order: "The first call with this quote_id is still running." };
  if (storedId !== null && storedId !== "unreadable") {
    return {
      order: `Order ${storedId} exists for this quote_id: check get_order. This call placed no other order.`,
      order_id: storedId,
    };
  }
  const isUnknown = storedId === "unreadable" || UNKNOWN_OUTCOME.includes(code);
  return {
    order: isUnknown
      ? "Unknown. Check list_orders. A repeated call with the same quote_id places at most one order."
      : "This call placed no order.",
  };
}
