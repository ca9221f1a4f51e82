/**
 * Data of events, as JSON: the `data` of webhook deliveries and of `GET /api/events`, and the payloads in GraphQL. It is a
 * snapshot of the time when the event was recorded. Members may be added, so that events recorded before lack them.
 */
import type { EventType } from "./event-types.ts";

/** An ended payment: a row of the ledger. */
export interface PaymentEventData {
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly direction: string;
  /** A decimal in the asset's unit, like `amountAtomic` the charged amount. */
  readonly amount: string;
  readonly amountAtomic: string;
  readonly asset: string | null;
  readonly network: string | null;
  readonly scheme: string | null;
  readonly resource: string | null;
  readonly payTo: string | null;
  readonly txHash: string | null;
  readonly paidFromCredit: boolean;
  /** US dollars as a decimal. */
  readonly fee: string;
  readonly failureReason: string | null;
  readonly createdAt: string;
  readonly settledAt: string | null;
}

/** A token of a trade. */
export interface EventToken {
  readonly symbol: string;
  readonly address: string;
  readonly decimals: number;
}

/** An ended trade. Amounts are decimals in the units of their tokens. */
export interface TradeEventData {
  readonly id: string;
  readonly status: string;
  readonly network: string;
  readonly transactionId: string;
  readonly sellToken: EventToken;
  readonly buyToken: EventToken;
  readonly sellAmount: string;
  /** Null if no tokens arrived. */
  readonly buyAmount: string | null;
  readonly minBuyAmount: string;
  readonly failureReason: string | null;
  readonly createdAt: string;
}

interface MessageData {
  readonly id: string;
  readonly threadId: string;
  readonly direction: string;
  readonly status: string;
  readonly from: string;
  readonly fromName: string;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly subject: string;
  /** Present if the message was deleted. Addresses and subject are then empty. */
  readonly isDeleted?: true;
  readonly sizeBytes: number;
  readonly createdAt: string;
}

interface ReceivedMessageData extends MessageData {
  readonly automated: string | null;
  readonly authentication: { readonly spf: string | null; readonly dkim: string | null; readonly dmarc: string | null };
}

interface SentMessageData extends MessageData {
  readonly sentAt: string | null;
  readonly failureReason: string | null;
  /** Present in events of one recipient. */
  readonly recipient?: MailRecipientData;
}

/** The state of the delivery to one recipient. */
export interface MailRecipientData {
  readonly deliveryId: string;
  /** Empty if the message was deleted. */
  readonly address: string;
  readonly status: "deferred" | "delivered" | "failed" | "bounced" | "complained";
  readonly failureReason: string | null;
  /** Attempts to send the message to the recipient. */
  readonly attempts: number;
}

/** A received message, or the outcome of a sent one, without its text. */
export type MailEventData = ReceivedMessageData | SentMessageData;

/** The registration or revocation of an agent. */
export interface AgentEventData {
  readonly agentRecordId: string;
  /** Id in the registry. */
  readonly agentId: number | null;
  readonly status: string;
  readonly network: string;
  readonly registry: string;
  readonly registeredAt: string | null;
  readonly revokedAt: string | null;
  readonly revokedReason: string | null;
}

/** An order that requires approval, was dispatched, or has ended. Amounts are in the minor unit of the currency. */
export interface OrderEventData {
  readonly id: string;
  readonly merchantId: string | null;
  readonly kind: string;
  readonly status: string;
  readonly amountMinor: number | null;
  readonly amountChargedMinor: number | null;
  readonly currency: string | null;
  readonly test: boolean;
  readonly retryable: boolean | null;
  readonly retryAction: string | null;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  readonly merchantOrderNumber: string | null;
  readonly createdAt: string;
  readonly completedAt: string | null;
}

/** The start or end of the account's freeze. */
export interface FreezeEventData {
  readonly id: string;
  readonly frozenBy: string;
  readonly frozenAt: string;
  readonly resumedAt: string | null;
}

/** A requested test event. */
export interface WebhookTestEventData {
  readonly webhookId: string;
  readonly message: string;
}

/** The data by the family of the type, which is its first word. */
export interface EventDataByFamily {
  readonly payment: PaymentEventData;
  readonly trade: TradeEventData;
  readonly mail: MailEventData;
  readonly agent: AgentEventData;
  readonly order: OrderEventData;
  readonly account: FreezeEventData;
  readonly webhook: WebhookTestEventData;
}
export type EventFamily = keyof EventDataByFamily;
export type EventData = EventDataByFamily[EventFamily];

/** Returns the family of an event type: `payment` for `payment.settled`. */
export function familyOf(type: EventType): EventFamily {
  return type.slice(0, type.indexOf(".")) as EventFamily;
}
