/** Passes a provider's stream on as it comes: no event waits for the next, and a slow reader slows the provider down. */
import { Readable } from "node:stream";
import type { ChunkReader } from "./chunk-reader.ts";
import { ProviderFault } from "./errors.ts";

const LINGER_MS = 1_000;

export type StreamEnding = "completed" | "aborted" | "failed";

export interface RelayedStream {
  /** Resolves with the first bytes on their way. @throws {ProviderFault} there will be none. */
  readonly first: Promise<void>;
  /** Server-sent events as OpenAI sends them. Destroying it ends the provider's stream. */
  readonly body: Readable;
}

/**
 * @param conclude told once how it ended, unless it failed before the first bytes. Answers the last lines before `[DONE]`;
 *   the stream's end waits for it.
 */
export function relayStream(
  source: Readable,
  reader: ChunkReader,
  conclude: (ending: StreamEnding) => Promise<string>,
): RelayedStream {
  const first = Promise.withResolvers<void>();
  // Somebody may have gone before they wait for it.
  first.promise.catch(() => {});
  let hasBegun = false;
  let isOver = false;

  const body = new Readable({
    read: () => void source.resume(),
    destroy(error, done) {
      source.destroy();
      if (!isOver) {
        isOver = true;
        first.reject(new ProviderFault("The caller has gone."));
        if (hasBegun) conclude("aborted").catch(() => {});
      }
      done(error);
    },
  });

  const end = async (ending: StreamEnding, lastWords: string) => {
    isOver = true;
    if (ending === "completed") letEnd(source);
    else source.destroy();
    const note = await conclude(ending).catch(() => "");
    if (body.destroyed) return;
    body.push(note + lastWords);
    body.push(null);
  };
  const breakOff = () => {
    if (!isOver) fail(new ProviderFault("The provider's answer broke off."));
  };
  const fail = (fault: ProviderFault) => {
    if (isOver) return;
    if (hasBegun) return void end("failed", errorEvent(fault.message));
    isOver = true;
    source.destroy();
    first.reject(fault);
  };

  source.on("data", (chunk: Buffer) => {
    if (isOver) return;
    let text: string;
    try {
      text = reader.take(chunk);
    } catch (fault) {
      return fail(fault as ProviderFault);
    }
    if (text !== "") {
      if (!hasBegun) {
        hasBegun = true;
        first.resolve();
      }
      if (!body.push(text)) source.pause();
    }
    if (reader.fault) return fail(reader.fault);
    if (reader.isDone && hasBegun) void end("completed", "data: [DONE]\n\n");
    else if (reader.isDone) fail(new ProviderFault("The provider answered nothing."));
  });
  source.on("end", () => {
    if (isOver) return;
    if (reader.isComplete) void end("completed", "data: [DONE]\n\n");
    else breakOff();
  });
  source.on("error", breakOff);
  source.on("close", breakOff);
  return { first: first.promise, body };
}

/** A provider that has said all closes its answer, and then its connection can be used again. */
function letEnd(source: Readable): void {
  const timer = setTimeout(() => source.destroy(), LINGER_MS);
  source.once("close", () => clearTimeout(timer));
  source.resume();
}

/** An error object in the stream, after which clients expect nothing more. */
function errorEvent(message: string): string {
  const error = { message, type: "provider_error", code: "provider_failed", param: null };
  return `data: ${JSON.stringify({ error })}\n\n`;
}
