/** Relay of a provider's stream: events are forwarded immediately, and backpressure of a slow reader reaches the provider. */
import { Readable } from "node:stream";
import type { ChunkReader } from "./chunk-reader.ts";
import { ProviderFault } from "./errors.ts";

const DRAIN_TIMEOUT_MS = 1_000;
/** Silence after which the caller receives a comment, so that no proxy between them closes the connection. */
const KEEP_ALIVE_MS = 15_000;
/** Time for which the provider's comments are withheld. Then the caller receives them, and no other provider is called. */
const COMMENTS_AFTER_MS = 10_000;
const TICK_MS = 1_000;

export type StreamEnding = "completed" | "aborted" | "failed";

export interface RelayedStream {
  /** Resolves once the first bytes are forwarded. @throws {ProviderFault} if the stream ends before them. */
  readonly first: Promise<void>;
  /** Server-sent events in OpenAI's format. Destroying the stream ends the provider's stream. */
  readonly body: Readable;
}

/**
 * Relays a provider's stream.
 * @param idleMs silence after which the stream has failed
 * @param conclude called once with the ending, unless the stream fails before the first bytes. Returns the last lines before
 *   `[DONE]`; the end of the stream waits for them.
 */
export function relayStream(
  source: Readable,
  reader: ChunkReader,
  conclude: (ending: StreamEnding) => Promise<string>,
  idleMs: number,
): RelayedStream {
  const first = Promise.withResolvers<void>();
  // Prevents an unhandled rejection if the caller disconnects before it awaits the promise.
  first.promise.catch(() => {});
  let hasBegun = false;
  let hasEnded = false;
  let lastByteMs = performance.now();
  let lastReceivedMs = lastByteMs;
  const startedMs = lastByteMs;

  const begin = () => {
    hasBegun = true;
    first.resolve();
  };
  const send = (text: string): boolean => {
    if (!hasBegun) begin();
    lastByteMs = performance.now();
    return body.push(text);
  };
  const keepAlive = setInterval(
    () => {
      const now = performance.now();
      // A paused source waits for the caller.
      if (now - lastReceivedMs >= idleMs && !source.isPaused())
        return fail(new ProviderFault("The provider fell silent."));
      const comments = hasBegun || now - startedMs < COMMENTS_AFTER_MS ? "" : reader.drainWithheld();
      if (comments !== "") send(comments);
      else if (hasBegun && now - lastByteMs >= KEEP_ALIVE_MS) send(": keep-alive\n\n");
    },
    Math.min(TICK_MS, idleMs),
  ).unref();

  const body = new Readable({
    read: () => void source.resume(),
    destroy(error, done) {
      clearInterval(keepAlive);
      source.destroy();
      if (!hasEnded) {
        hasEnded = true;
        first.reject(new ProviderFault("The caller disconnected."));
        if (hasBegun) conclude("aborted").catch(() => {});
      }
      done(error);
    },
  });

  const end = async (ending: StreamEnding, trailer: string) => {
    hasEnded = true;
    clearInterval(keepAlive);
    if (ending === "completed") drainSource(source);
    else source.destroy();
    const conclusion = await conclude(ending).catch(() => "");
    if (body.destroyed) return;
    body.push(conclusion + trailer);
    body.push(null);
  };
  const failTruncated = () => {
    if (!hasEnded) fail(new ProviderFault("The provider's response broke off."));
  };
  const fail = (fault: ProviderFault) => {
    if (hasEnded) return;
    if (hasBegun) return void end("failed", formatErrorEvent(fault.reason ?? fault.message));
    hasEnded = true;
    clearInterval(keepAlive);
    source.destroy();
    first.reject(fault);
  };

  source.on("data", (chunk: Buffer) => {
    if (hasEnded) return;
    lastReceivedMs = performance.now();
    let text: string;
    try {
      text = reader.read(chunk);
    } catch (fault) {
      return fail(fault as ProviderFault);
    }
    if (text !== "" && !send(text)) source.pause();
    if (reader.fault) return fail(reader.fault);
    // An empty response with usage is charged by the provider.
    if (reader.isDone && !hasBegun && reader.usage !== null) begin();
    if (reader.isDone && hasBegun) void end("completed", "data: [DONE]\n\n");
    else if (reader.isDone) fail(new ProviderFault("The provider sent an empty response."));
  });
  source.on("end", () => {
    if (hasEnded) return;
    if (reader.isComplete) void end("completed", "data: [DONE]\n\n");
    else failTruncated();
  });
  source.on("error", failTruncated);
  source.on("close", failTruncated);
  return { first: first.promise, body };
}

/** Lets the provider end its response, so that the connection can be reused; destroys it after one second. */
function drainSource(source: Readable): void {
  const timer = setTimeout(() => source.destroy(), DRAIN_TIMEOUT_MS);
  source.once("close", () => clearTimeout(timer));
  source.resume();
}

/** Formats an error event, after which clients expect no further events. */
function formatErrorEvent(message: string): string {
  const error = { message, type: "provider_error", code: "provider_failed", param: null };
  return `data: ${JSON.stringify({ error })}\n\n`;
}
