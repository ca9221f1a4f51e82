/** Attempts one webhook delivery as specified by Standard Webhooks. */
import type { Readable } from "node:stream";
import type { Egress, EgressResponse } from "../platform/egress/egress.ts";
import { readRetryAfterMs } from "../platform/egress/retry-after.ts";
import { ServiceError } from "../platform/errors.ts";
import type { Logger } from "../platform/observability/logger.ts";
import type { ClaimedDelivery, Outcome } from "./claim-deliveries.ts";
import type { WebhookSecrets } from "./webhook-secrets.ts";

export interface AttemptDeps {
  readonly egress: Egress;
  readonly secrets: Pick<WebhookSecrets, "sign">;
  readonly logger: Logger;
}

/** Time limit for the response, including the connection setup. */
const TIMEOUT_MS = 15_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Delays before the second and later attempts: ten attempts in three days and four hours. */
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
/** Maximum random addition as a fraction of the delay. It spreads retries of deliveries that failed together. */
const JITTER_FRACTION = 0.1;
const MAX_RETRY_AFTER_MS = 24 * HOUR_MS;
/** Bytes of a response body that are discarded before the connection is closed. Shorter bodies leave the connection reusable. */
const MAX_DISCARDED_BYTES = 64 * 1024;
const MAX_DISCARD_MS = 5_000;

/**
 * Sends the event and returns the outcome. Only a 2xx status counts as delivered; redirects are not followed.
 * @throws the signal's abort reason, and nothing else
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
    discardBody(response.body);
    return evaluateResponse(claim, response);
  } catch (error) {
    if (signal.aborted) throw error;
    const isServiceError = error instanceof ServiceError;
    if (!isServiceError) logger.error({ err: error, deliveryId: claim.id }, "Webhook delivery could not be sent");
    const reason = isServiceError ? error.message : "Satchel could not send the request.";
    return { isDelivered: false, status: null, reason, retryInMs: computeRetryDelayMs(claim, 0), isGone: false };
  }
}

function evaluateResponse(claim: ClaimedDelivery, { status, headers }: EgressResponse): Outcome {
  if (status >= 200 && status < 300) return { isDelivered: true, status };
  const failed = { isDelivered: false, status } as const;
  if (status === 410) {
    return {
      ...failed,
      reason: "The endpoint responded with 410 (Gone), so it receives no more events.",
      retryInMs: null,
      isGone: true,
    };
  }
  const isRedirect = status >= 300 && status < 400;
  const reason = `The endpoint responded with ${status}.${isRedirect ? " Redirects are not followed." : ""}`;
  return {
    ...failed,
    reason,
    retryInMs: computeRetryDelayMs(claim, Math.min(readRetryAfterMs(headers) ?? 0, MAX_RETRY_AFTER_MS)),
    isGone: false,
  };
}

function computeRetryDelayMs({ attempts }: ClaimedDelivery, atLeastMs: number): number | null {
  const delayMs = RETRY_DELAYS_MS[attempts - 1];
  return delayMs === undefined ? null : Math.max(delayMs * (1 + Math.random() * JITTER_FRACTION), atLeastMs);
}

function discardBody(body: Readable): void {
  let bytes = 0;
  const timer = setTimeout(() => body.destroy(), MAX_DISCARD_MS);
  timer.unref();
  body.once("close", () => clearTimeout(timer));
  body.on("data", (chunk: Uint8Array) => {
    bytes += chunk.length;
    if (bytes > MAX_DISCARDED_BYTES) body.destroy();
  });
}
