/** Event types in REST requests and responses. */
import { z } from "zod";
import type { AccountEventType } from "../generated/graphql.ts";

const EVENT_TYPES = [
  "payment.settled",
  "payment.released",
  "payment.failed",
  "trade.settled",
  "trade.failed",
  "mail.received",
  "mail.sent",
  "mail.failed",
  "mail.bounced",
  "mail.recipient_deferred",
  "mail.recipient_delivered",
  "mail.recipient_failed",
  "mail.recipient_bounced",
  "mail.recipient_complained",
  "agent.registered",
  "agent.revoked",
  "order.approval_required",
  "order.dispatched",
  "order.succeeded",
  "order.failed",
  "order.explored",
  "account.frozen",
  "account.resumed",
  "webhook.test",
] as const satisfies readonly AccountEventType[];
const MESSAGE = `must be event types: ${EVENT_TYPES.join(", ")}`;

export const EventType = z.enum(EVENT_TYPES, MESSAGE);

/** Event types in a body. */
export const eventTypes = z.array(EventType).max(100, "has too many entries");

/** Parses comma-separated event types in a query string. */
export function eventTypeList(description: string) {
  return z
    .string()
    .max(1_000, MESSAGE)
    .transform((text, context): AccountEventType[] => {
      const { success, data } = z.array(EventType).safeParse(text.split(",").map((name) => name.trim()));
      if (success) return data;
      context.addIssue({ code: "custom", message: MESSAGE });
      return z.NEVER;
    })
    .meta({ description });
}
