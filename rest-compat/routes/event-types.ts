/** Event type names of webhooks and REST. */
import { z } from "zod";
import type { AccountEventType } from "../generated/graphql.ts";

const NAMES = {
  PAYMENT_SETTLED: "payment.settled",
  PAYMENT_RELEASED: "payment.released",
  PAYMENT_FAILED: "payment.failed",
  TRADE_SETTLED: "trade.settled",
  TRADE_FAILED: "trade.failed",
  MAIL_RECEIVED: "mail.received",
  MAIL_SENT: "mail.sent",
  MAIL_FAILED: "mail.failed",
  MAIL_BOUNCED: "mail.bounced",
  AGENT_REGISTERED: "agent.registered",
  AGENT_REVOKED: "agent.revoked",
  ORDER_APPROVAL_REQUIRED: "order.approval_required",
  ORDER_DISPATCHED: "order.dispatched",
  ORDER_SUCCEEDED: "order.succeeded",
  ORDER_FAILED: "order.failed",
  ORDER_EXPLORED: "order.explored",
  WEBHOOK_TEST: "webhook.test",
} as const satisfies Record<AccountEventType, string>;

type EventName = (typeof NAMES)[AccountEventType];

const TYPES = Object.fromEntries(Object.entries(NAMES).map(([type, name]) => [name, type])) as Readonly<
  Record<EventName, AccountEventType>
>;
const ALL = Object.values(NAMES);
const MESSAGE = `must be event types: ${ALL.join(", ")}`;

export const EventName = z.enum(ALL);

export function toEventName(type: AccountEventType): EventName {
  return NAMES[type];
}

/** Event types in a body; outputs GraphQL enum values. */
export const eventTypes = z
  .array(z.enum(ALL, MESSAGE))
  .max(100, "has too many entries")
  .transform((names) => names.map((name) => TYPES[name]));

/** Parses comma-separated event types in a query string; outputs GraphQL enum values. */
export function eventTypeList(description: string) {
  return z
    .string()
    .max(1_000, MESSAGE)
    .transform((text, context): AccountEventType[] => {
      const names = text.split(",").map((name) => name.trim());
      if (names.every((name): name is EventName => Object.hasOwn(TYPES, name))) return names.map((name) => TYPES[name]);
      context.addIssue({ code: "custom", message: MESSAGE });
      return z.NEVER;
    })
    .meta({ description });
}
