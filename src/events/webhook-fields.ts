/** Validation of webhook fields. */
import { z } from "zod";
import { isStorableText } from "../platform/database/text.ts";
import { assertOneLine, assertUrlAllowed } from "../platform/egress/target-url.ts";
import { InvalidRequestError } from "../platform/errors.ts";
import { createInputError } from "../platform/validation.ts";
import { EVENT_TYPES, type EventType } from "./event-types.ts";

const MAX_URL_LENGTH = 2_000;
const MAX_DESCRIPTION_LENGTH = 200;
const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/;
/** Control, formatting and direction characters, which could make a description appear as another text. */
const HIDDEN_CHARACTER = /[\p{C}\p{Zl}\p{Zp}]/u;

const fields = z.object({
  url: z.string().trim().max(MAX_URL_LENGTH, `must have at most ${MAX_URL_LENGTH} characters`),
  description: z
    .string()
    .trim()
    .max(MAX_DESCRIPTION_LENGTH, `must have at most ${MAX_DESCRIPTION_LENGTH} characters`)
    .refine(
      (text) => isStorableText(text) && !HIDDEN_CHARACTER.test(text),
      "must not have control or invisible characters",
    ),
  eventTypes: z.array(
    z.custom<EventType>(
      (type) => typeof type === "string" && Object.hasOwn(EVENT_TYPES, type),
      "must be the name of an event type",
    ),
  ),
});

export type WebhookFields = z.output<typeof fields>;

/**
 * Returns the validated fields, trimmed and without duplicate event types. The address behind the URL is checked again at
 * every delivery.
 * @param allowLoopback whether loopback addresses are allowed, also with http
 * @throws {InvalidRequestError} naming the field
 * @throws {UrlNotAllowedError}
 */
export function validateWebhook(given: WebhookFields, allowLoopback: boolean): WebhookFields {
  const { data, error } = fields.safeParse(given);
  if (!data) throw createInputError(error.issues, (path) => path.join("."));
  return { ...data, url: validateUrl(data.url, allowLoopback), eventTypes: [...new Set(data.eventTypes)] };
}

function validateUrl(text: string, allowLoopback: boolean): string {
  assertOneLine(text);
  const url = URL.parse(text);
  if (!url || !isStorableText(text)) {
    throw new InvalidRequestError("url must be an absolute URL such as https://app.example/webhooks.", "url");
  }
  assertUrlAllowed(url, allowLoopback);
  if (url.protocol === "http:" && !(allowLoopback && LOOPBACK.test(url.hostname))) {
    throw new InvalidRequestError("url must begin with https://, because deliveries contain account data.", "url");
  }
  url.hash = "";
  return url.href;
}
