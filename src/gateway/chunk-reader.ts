/** Parser of a provider's event stream that returns the bytes to forward to the caller. */
import { StringDecoder } from "node:string_decoder";
import { createParser } from "eventsource-parser";
import { ProviderFault } from "./errors.ts";
import type { TokenCounts } from "./price.ts";
import { readUsage } from "./usage.ts";

interface Delta {
  readonly content?: unknown;
  readonly reasoning?: unknown;
  readonly reasoning_content?: unknown;
  readonly tool_calls?: readonly { readonly function?: { readonly arguments?: unknown; readonly name?: unknown } }[];
}
interface Chunk {
  readonly choices?: readonly { readonly delta?: Delta | null; readonly finish_reason?: string | null }[];
  readonly usage?: unknown;
  readonly error?: unknown;
}

export interface ChunkReader {
  /**
   * Parses received bytes and returns the text to forward, empty if no event is complete.
   *
   * @throws {ProviderFault} if the stream is malformed or contains an error, and nothing is left to forward.
   */
  read(bytes: Buffer): string;
  /** The provider's failure, if one followed the bytes that were forwarded last. */
  readonly fault: ProviderFault | null;
  /** Whether the provider has sent `[DONE]`. */
  readonly isDone: boolean;
  /** Whether every choice has a finish reason; the stream may then end without `[DONE]`. */
  readonly isComplete: boolean;
  /** The usage last reported by the provider. */
  readonly usage: TokenCounts | null;
  /** Returns all forwarded text, for counting tokens if the provider reports no usage. */
  text(): string;
}

/** Maximum length of an event; even an image in base64 is shorter. */
const MAX_EVENT_CHARS = 16 * 1024 * 1024;

export function createChunkReader(choiceCount: number, isUsageRequested: boolean): ChunkReader {
  const decoder = new StringDecoder("utf8");
  const texts: string[] = [];
  let output = "";
  let pendingChars = 0;
  let finished = 0;
  let isDone = false;
  let usage: TokenCounts | null = null;
  let fault: ProviderFault | null = null;

  const parser = createParser({
    onEvent({ data }) {
      pendingChars = 0;
      if (isDone || fault) return;
      if (data.trim() === "[DONE]") {
        isDone = true;
        return;
      }
      const chunk = parseChunk(data);
      if (chunk === null) fault = new ProviderFault("The provider's stream is not valid JSON.");
      else if (chunk.error !== undefined && chunk.error !== null)
        fault = new ProviderFault(getErrorMessage(chunk.error));
      else {
        const forwarded = filterChunk(chunk, data);
        if (forwarded !== "") output += `data: ${forwarded.replaceAll("\n", "\ndata: ")}\n\n`;
      }
    },
    // Providers send comments as keep-alives; forwarding them also holds the caller's connection open.
    onComment: (comment) => {
      if (texts.length > 0) output += `:${comment}\n\n`;
    },
  });

  function filterChunk(chunk: Chunk, data: string): string {
    const choices = chunk.choices ?? [];
    for (const { delta, finish_reason: reason } of choices) {
      if (reason) finished++;
      if (!delta) continue;
      for (const text of [delta.content, delta.reasoning ?? delta.reasoning_content]) {
        if (typeof text === "string") texts.push(text);
      }
      for (const { function: called } of delta.tool_calls ?? [])
        texts.push(`${called?.name ?? ""}${called?.arguments ?? ""}`);
    }
    if (chunk.usage === undefined || chunk.usage === null) return data;
    usage = readUsage(chunk.usage) ?? usage;
    if (isUsageRequested) return data;
    // The gateway requested the usage, not the caller.
    return choices.length === 0 ? "" : JSON.stringify({ ...chunk, usage: undefined });
  }

  return {
    read(bytes) {
      output = "";
      pendingChars += bytes.length;
      if (pendingChars > MAX_EVENT_CHARS) throw new ProviderFault("The provider's stream has an event without end.");
      parser.feed(decoder.write(bytes));
      if (fault && output === "") throw fault;
      return output;
    },
    get fault() {
      return fault;
    },
    get isDone() {
      return isDone;
    },
    get isComplete() {
      return finished >= choiceCount;
    },
    get usage() {
      return usage;
    },
    text: () => texts.join(""),
  };
}

function parseChunk(data: string): Chunk | null {
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

function getErrorMessage(error: unknown): string {
  const message = typeof error === "string" ? error : (error as { message?: unknown }).message;
  return typeof message === "string" ? message.slice(0, 1_000) : "The provider failed.";
}
