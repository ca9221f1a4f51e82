/** Delivery events of a mail provider, as its signed webhook posts them. */
import { z } from "zod";
import { InvalidRequestError } from "../../platform/errors.ts";
import { createInputError, orMissing } from "../../platform/validation.ts";
import { cleanLine } from "../incoming/clean-text.ts";
import type { ReportedRecipient } from "../incoming/incoming-message.ts";

const MAX_EVENTS = 500;
const MAX_ADDRESS_LENGTH = 320;
/** Maximum length of a line (RFC 5322 section 2.1.1). */
const MAX_LINE_LENGTH = 998;
const MAX_REASON_LENGTH = 500;

/** The actions of reports (RFC 3464) that correspond to the types. */
const ACTIONS = {
  delivered: "delivered",
  deferred: "delayed",
  bounced: "failed",
  complained: "complained",
  relayed: "relayed",
} as const satisfies Readonly<Record<string, ReportedRecipient["action"]>>;

export type ProviderEventType = keyof typeof ACTIONS;

const TYPES = Object.keys(ACTIONS) as ProviderEventType[];

/** An event about one recipient of an outgoing message. */
export interface ProviderEvent {
  readonly id: string;
  readonly type: ProviderEventType;
  readonly recipient: string;
  /** The envelope sender of the message; null if the provider does not state it. */
  readonly returnPath: string | null;
  /** With angle brackets; null if the provider does not state it. */
  readonly messageId: string | null;
  readonly occurredAt: Date;
  readonly reported: Pick<ReportedRecipient, "action" | "status" | "reason">;
}

// Neither spaces nor characters that PostgreSQL cannot store.
const ADDRESS = /^[^\s\p{Cc}\p{Cs}<>]+@[^\s\p{Cc}\p{Cs}<>@]+$/u;
const MESSAGE_ID = /^(?:<[^\s\p{Cc}\p{Cs}<>]+>|[^\s\p{Cc}\p{Cs}<>]+)$/u;

const address = (message: string) =>
  z.string(orMissing(message)).max(MAX_ADDRESS_LENGTH, message).regex(ADDRESS, message);
const text = (maxLength: number, message: string) =>
  z.string(orMissing(message)).min(1, message).max(maxLength, message);

const EVENT = z
  .object(
    {
      id: text(256, "must be the event's id, with at most 256 characters"),
      type: z.enum(TYPES, orMissing(`must be one of ${TYPES.join(", ")}`)),
      recipient: address("must be the recipient's address"),
      returnPath: address("must be the envelope sender's address").nullish(),
      messageId: text(MAX_LINE_LENGTH, "must be a Message-ID").regex(MESSAGE_ID, "must be a Message-ID").nullish(),
      status: z
        .string("must be an enhanced status code such as 5.1.1")
        .regex(/^[245]\.\d{1,3}\.\d{1,3}$/, "must be an enhanced status code such as 5.1.1")
        .nullish(),
      diagnostic: z.string("must be text").max(10_000, "must have at most 10000 characters").nullish(),
      occurredAt: z.iso.datetime({ offset: true, ...orMissing("must be a timestamp such as 2026-11-20T17:29:18Z") }),
    },
    "must be an object",
  )
  .refine(({ returnPath, messageId }) => (returnPath ?? messageId) != null, {
    path: ["messageId"],
    message: "is missing, and so is returnPath",
  });
const EVENTS = z
  .array(EVENT)
  .min(1, "must contain an event")
  .max(MAX_EVENTS, `must contain at most ${MAX_EVENTS} events`);

/**
 * Parses a body: one event or a list.
 * @throws {InvalidRequestError} naming the field. In a list, the field starts with the position: `[2].recipient`.
 */
export function readProviderEvents(body: Buffer): ProviderEvent[] {
  const json = parseJson(body);
  const result = Array.isArray(json) ? EVENTS.safeParse(json) : EVENT.transform((event) => [event]).safeParse(json);
  if (!result.success) throw createInputError(result.error.issues);
  return result.data.map(toEvent);
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    throw new InvalidRequestError("The body is not valid JSON.");
  }
}

function toEvent({
  id,
  type,
  recipient,
  returnPath,
  messageId,
  status,
  diagnostic,
  occurredAt,
}: z.infer<typeof EVENT>) {
  const code = status ?? "";
  return {
    id,
    type,
    recipient,
    returnPath: returnPath ?? null,
    messageId: messageId == null ? null : `<${messageId.replace(/^<|>$/g, "")}>`,
    occurredAt: new Date(occurredAt),
    reported: { action: ACTIONS[type], status: code, reason: describe(type, code, diagnostic ?? "") },
  };
}

function describe(type: ProviderEventType, status: string, diagnostic: string): string {
  const text = cleanLine(diagnostic, MAX_REASON_LENGTH) || status;
  if (text !== "") return text;
  return type === "complained" ? "The recipient reported the email." : "The message was not delivered.";
}
