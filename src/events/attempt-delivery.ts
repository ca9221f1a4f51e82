/** One attempt to tell an endpoint of an event, by Standard Webhooks. */
import type { Readable } from "node:stream";
import type { Egress, EgressResponse } from "../platform/egress/egress.ts";
import { ServiceError } from "../platform/errors.ts";
import type { Logger } from "../platform/observability/logger.ts";
import type { ClaimedDelivery, Outcome } from "./claim-deliveries.ts";
import type { WebhookSecrets } from "./webhook-secrets.ts";

export interface AttemptDeps {
  readonly egress: Egress;
  readonly secrets: Pick<WebhookSecrets, "sign">;
  readonly logger: Logger;
}

/** How long an endpoint has to answer, connecting included. */
const TIMEOUT_MS = 15_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Before the second attempt, the third, and so on: ten attempts in three days and four hours. */
const RETRY_DELAYS_MS = [
  5_000,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];
/** Up to a tenth more, so that what failed together does not come back together. */
const JITTER = 0.1;
const MAX_RETRY_AFTER_MS = 24 * HOUR_MS;
/** What an endpoint says beside its status is not read, but up to here taken, so that the connection can be used again. */
const MAX_DISCARDED_BYTES = 64 * 1024;
const MAX_DISCARD_MS = 5_000;

/**
 * Sends the event. Only 2xx counts as delivered; redirects are not followed.
 * @throws the signal's reason once it is aborted; nothing else
 */
export async function attemptDelivery(
  { egress, secrets, logger }: AttemptDeps,
  claim: ClaimedDelivery,
  signal: AbortSignal,
): Promise<Outcome> {
  const { id, type, createdAt, data } = claim.event;
  const body = JSON.stringify({ id, type, createdAt: createdAt.toISOString(), data });
  const timestampSeconds = Math.floor(Date.now() / 1_000);
  try {
    const signature = await secrets.sign(claim.endpoint, { id, timestampSeconds, body });
    const response = await egress.request({
      url: claim.url,
      method: "POST",
      headers: {
        "content-type": "application/json",
        "user-agent": "Satchel-Webhooks",
        "webhook-id": id,
        "webhook-timestamp": String(timestampSeconds),
        "webhook-signature": signature,
      },
      body,
      signal,
      timeoutMs: TIMEOUT_MS,
      maxRedirects: 0,
    });
    discard(response.body);
    return outcomeOf(claim, response);
  } catch (error) {
    if (signal.aborted) throw error;
    const isTold = error instanceof ServiceError;
    if (!isTold) logger.error({ err: error, deliveryId: claim.id }, "a webhook could not be sent from here");
    const reason = isTold ? error.message : "It could not be sent from here.";
    return { isDelivered: false, status: null, reason, retryInMs: retryInMs(claim, 0), isGone: false };
  }
}

function outcomeOf(claim: ClaimedDelivery, { status, headers }: EgressResponse): Outcome {
  if (status >= 200 && status < 300) return { isDelivered: true, status };
  const failed = { isDelivered: false, status } as const;
  if (status === 410) {
    return { ...failed, reason: "It answered 410: it wants no more events.", retryInMs: null, isGone: true };
  }
  const isRedirect = status >= 300 && status < 400;
  const reason = `It answered ${status}${isRedirect ? ", and redirects are not followed" : ""}.`;
  return { ...failed, reason, retryInMs: retryInMs(claim, retryAfterMs(headers["retry-after"])), isGone: false };
}

function retryInMs({ attempts }: ClaimedDelivery, atLeastMs: number): number | null {
  const delayMs = RETRY_DELAYS_MS[attempts - 1];
  return delayMs === undefined ? null : Math.max(delayMs * (1 + Math.random() * JITTER), atLeastMs);
}

/** RFC 9110 section 10.2.3: seconds, or a date. */
function retryAfterMs(header: string | string[] | undefined): number {
  if (typeof header !== "string") return 0;
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), MAX_RETRY_AFTER_MS) : 0;
}

function discard(body: Readable): void {
  let bytes = 0;
  const timer = setTimeout(() => body.destroy(), MAX_DISCARD_MS);
  timer.unref();
  body.once("close", () => clearTimeout(timer));
  body.on("data", (chunk: Uint8Array) => {
    bytes += chunk.length;
    if (bytes > MAX_DISCARDED_BYTES) body.destroy();
  });
}
