/** What a webhook may hold. */
import { z } from "zod";
import { isStorableText } from "../platform/database/text.ts";
import { assertUrlAllowed } from "../platform/egress/target-url.ts";
import { InvalidRequestError } from "../platform/errors.ts";
import { EVENT_TYPES, type EventType } from "./event-types.ts";

const MAX_URL_LENGTH = 2_000;
const MAX_DESCRIPTION_LENGTH = 200;
const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/;
/** Control, formatting and direction characters would let a name pretend to be other than it is. */
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}]/u;

const fields = z.object({
  url: z.string().trim().max(MAX_URL_LENGTH, `must have at most ${MAX_URL_LENGTH} characters`),
  description: z
    .string()
    .trim()
    .max(MAX_DESCRIPTION_LENGTH, `must have at most ${MAX_DESCRIPTION_LENGTH} characters`)
    .refine((text) => isStorableText(text) && !HIDDEN.test(text), "must not have control or invisible characters"),
  eventTypes: z.array(
    z.custom<EventType>(
      (type) => typeof type === "string" && Object.hasOwn(EVENT_TYPES, type),
      "must be the name of an event type",
    ),
  ),
});

export type WebhookFields = z.output<typeof fields>;

/**
 * The fields, trimmed; each event type once. Where the address leads is checked again at every delivery.
 * @param allowLoopback whether addresses of this machine may be told, also by http
 * @throws {InvalidRequestError} naming the field; {@link UrlNotAllowedError}
 */
export function checkWebhook(given: WebhookFields, allowLoopback: boolean): WebhookFields {
  const { data, error } = fields.safeParse(given);
  if (!data) {
    const [issue] = error.issues;
    const field = issue?.path.join(".") ?? null;
    throw new InvalidRequestError(`${field} ${issue?.message}.`, field);
  }
  return { ...data, url: checkUrl(data.url, allowLoopback), eventTypes: [...new Set(data.eventTypes)] };
}

function checkUrl(text: string, allowLoopback: boolean): string {
  const url = URL.parse(text);
  if (!url || !isStorableText(text)) {
    throw new InvalidRequestError("url must be an absolute address such as https://app.example/webhooks.", "url");
  }
  assertUrlAllowed(url, allowLoopback);
  if (url.protocol === "http:" && !(allowLoopback && LOOPBACK.test(url.hostname))) {
    throw new InvalidRequestError("url must begin with https://: what is sent there is the account's own.", "url");
  }
  url.hash = "";
  return url.href;
}
