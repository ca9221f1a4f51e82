import { Readable } from "node:stream";
import type { GraphQLFormattedError } from "graphql";
import type { GraphqlLimits } from "./limits.ts";
import { type EndReason, endingError, STREAM_ENDINGS } from "./stream-endings.ts";
import type { EventPayload } from "./subscription-groups.ts";

/** Last SSE id of a stream after which no client should reconnect. A request with it as `Last-Event-ID` receives 204. */
export const END_ID = "end";
/** First SSE id of a stream that cannot be resumed, so a reconnecting EventSource is recognised. */
export const START_ID = "start";

/** A cursor that fits into the `id` field. */
const SSE_ID = /^[\x21-\x7e]{1,1000}$/;

type EventStreamBody = {
  readonly body: Readable;
  send(payload: EventPayload): void;
  /** @param error the error to send; default: the error of the ending */
  end(reason: EndReason, error?: GraphQLFormattedError): void;
  /** Runs `cleanup` when the stream ends, or immediately if it has ended. */
  onEnd(cleanup: () => void): void;
};

/**
 * Creates the body of an event stream (GraphQL over SSE, distinct connections mode). Clients reconnect if a stream ends without
 * `complete`, so only endings without a retry have it. Each ending states its reason in the field `end`, which clients ignore.
 *
 * @param options.startId the SSE id before the first event; null if the client has one already
 * @param options.isSingleUse whether the client must not reconnect after any ending
 * @param options.terminate closes the connection of a client that does not read the end
 */
export function createEventStreamBody(
  limits: Pick<GraphqlLimits, "maxBufferedBytes" | "closeTimeoutMs" | "pingIntervalMs" | "reconnectDelayMs">,
  options: { startId: string | null; isSingleUse: boolean; terminate(): void },
): EventStreamBody {
  const cleanups: (() => void)[] = [];
  let hasEnded = false;
  const body = new Readable({
    read: () => undefined,
    destroy(error, done) {
      stop();
      done(error);
    },
  });
  const stop = () => {
    if (hasEnded) return;
    hasEnded = true;
    clearInterval(ping);
    for (const cleanup of cleanups) cleanup();
  };
  const ping = setInterval(() => {
    if (body.readableLength === 0) body.push(":\n\n");
  }, limits.pingIntervalMs).unref();

  const startId = options.startId === null ? "" : `id: ${options.startId}\n`;
  body.push(`${formatRetry(limits.reconnectDelayMs)}${startId}\n`);

  const end = (reason: EndReason, error?: GraphQLFormattedError) => {
    if (hasEnded) return;
    const isRetryable = STREAM_ENDINGS[reason].isRetryable && !options.isSingleUse;
    body.push(formatEnding(reason, isRetryable, limits.reconnectDelayMs, error));
    body.push(null);
    const timer = setTimeout(options.terminate, limits.closeTimeoutMs).unref();
    body.once("close", () => clearTimeout(timer));
    stop();
  };
  return {
    body,
    send({ json, cursor }) {
      if (hasEnded) return;
      if (body.readableLength > limits.maxBufferedBytes) return end("too_slow");
      const id = cursor !== null && SSE_ID.test(cursor) ? `id: ${cursor}\n` : "";
      body.push(`${id}event: next\ndata: `);
      body.push(json);
      body.push("\n\n");
    },
    end,
    onEnd(cleanup) {
      if (hasEnded) cleanup();
      else cleanups.push(cleanup);
    },
  };
}

/** Returns the whole body of a stream with one result. @param json the result as JSON */
export function formatSingleResult(json: string): string {
  return `event: next\ndata: ${json}\n\n${formatEnding("completed", false, 0)}`;
}

function formatEnding(
  reason: EndReason,
  isRetryable: boolean,
  reconnectDelayMs: number,
  error?: GraphQLFormattedError,
): string {
  const { message, extensions } = error ?? endingError(reason);
  const end = `end: ${JSON.stringify({ reason, code: extensions?.["code"], message })}\n`;
  if (isRetryable) return `${formatRetry(reconnectDelayMs)}${end}\n`;
  const sent = error ?? (reason === "completed" ? null : endingError(reason));
  const last = sent ? `event: next\ndata: ${JSON.stringify({ errors: [sent] })}\n\n` : "";
  return `${last}id: ${END_ID}\n${end}event: complete\ndata:\n\n`;
}

/** Spread over half to one and a half times the mean, so the clients of a restarted node do not reconnect at once. */
function formatRetry(meanMs: number): string {
  return `retry: ${Math.round(meanMs * (0.5 + Math.random()))}\n`;
}
