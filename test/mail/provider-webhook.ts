/** A mail provider that posts signed delivery events. */
import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";
import type { Stack } from "../support/stack.ts";

export interface Post {
  readonly secret: string;
  readonly at?: Date;
  /** The body that is sent instead of the signed one. */
  readonly sent?: string;
  readonly headers?: Record<string, string>;
}

export const createSecret = () => `whsec_${randomBytes(32).toString("base64")}`;

export const createEvent = (type: string, fields: object = {}) => ({
  id: `ev_${randomBytes(8).toString("hex")}`,
  type,
  occurredAt: new Date().toISOString(),
  ...fields,
});

/** Posts a body, as JSON unless it is text. */
export async function postEvents(
  { baseUrl }: Stack,
  events: unknown,
  { secret, at = new Date(), sent, headers }: Post,
) {
  const body = typeof events === "string" ? events : JSON.stringify(events);
  const id = `msg_${randomBytes(8).toString("hex")}`;
  const response = await fetch(`${baseUrl}/api/mail/events`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
      "webhook-signature": new Webhook(secret).sign(id, at, body),
      ...headers,
    },
    body: sent ?? body,
  });
  // biome-ignore lint/suspicious/noExplicitAny: responses have several shapes.
  return { status: response.status, json: (await response.json()) as any };
}
