import type { AccountEventType } from "../../generated/graphql.ts";

/** Labels of events, in the order of the form. */
export const EVENT_LABELS: Readonly<Record<AccountEventType, string>> = {
  PAYMENT_SETTLED: "Payment settled",
  PAYMENT_RELEASED: "Payment released, not charged",
  PAYMENT_FAILED: "Payment failed, not charged",
  TRADE_SETTLED: "Trade settled",
  TRADE_FAILED: "Trade failed",
  MAIL_RECEIVED: "Email received",
  MAIL_SENT: "Email sent",
  MAIL_FAILED: "Email failed",
  MAIL_BOUNCED: "Email bounced",
  MAIL_RECIPIENT_DEFERRED: "Email deferred for a recipient",
  MAIL_RECIPIENT_DELIVERED: "Email delivered to a recipient",
  MAIL_RECIPIENT_FAILED: "Email failed for a recipient",
  MAIL_RECIPIENT_BOUNCED: "Email bounced for a recipient",
  MAIL_RECIPIENT_COMPLAINED: "Email reported as spam",
  AGENT_REGISTERED: "Agent registered",
  AGENT_REVOKED: "Agent revoked",
  ORDER_APPROVAL_REQUIRED: "Order requires approval",
  ORDER_DISPATCHED: "Order dispatched",
  ORDER_SUCCEEDED: "Order confirmed",
  ORDER_FAILED: "Order failed",
  ORDER_EXPLORED: "Merchant explored",
  ACCOUNT_FROZEN: "Account frozen",
  ACCOUNT_RESUMED: "Account resumed",
  WEBHOOK_TEST: "Test event",
};

/** Events that a webhook can subscribe to. Test events are always delivered. */
export const SUBSCRIBABLE_EVENTS = (Object.keys(EVENT_LABELS) as AccountEventType[]).filter(
  (type) => type !== "WEBHOOK_TEST",
);

/** Returns the event name in the API, for example `payment.settled`. */
export const eventName = (type: AccountEventType) => type.toLowerCase().replace("_", ".");
