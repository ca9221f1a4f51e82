import type { AccountEventType } from "../../generated/graphql.ts";

/** What happened, in words; in the order in which people choose. */
export const EVENT_WORDS: Readonly<Record<AccountEventType, string>> = {
  PAYMENT_SETTLED: "A payment settled",
  PAYMENT_RELEASED: "A payment was released, nothing paid",
  PAYMENT_FAILED: "A payment failed, nothing paid",
  TRADE_SETTLED: "A trade settled",
  TRADE_FAILED: "A trade failed",
  MAIL_RECEIVED: "Mail came",
  MAIL_SENT: "Mail was sent",
  MAIL_FAILED: "Mail could not be sent",
  MAIL_BOUNCED: "Mail came back",
  AGENT_REGISTERED: "The agent was registered",
  AGENT_REVOKED: "The agent was revoked",
  ORDER_APPROVAL_REQUIRED: "An order waits for your approval",
  ORDER_DISPATCHED: "An order is being placed",
  ORDER_SUCCEEDED: "An order was confirmed",
  ORDER_FAILED: "An order was not confirmed",
  ORDER_EXPLORED: "A shop was explored",
  WEBHOOK_TEST: "A test",
};

/** Those that happen by themselves. */
export const CHOOSABLE = (Object.keys(EVENT_WORDS) as AccountEventType[]).filter((type) => type !== "WEBHOOK_TEST");

/** As programs write it: `payment.settled`. */
export const eventName = (type: AccountEventType) => type.toLowerCase().replace("_", ".");
