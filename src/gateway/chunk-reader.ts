/** Reads a provider's stream event by event, and says what of it goes on to the caller. */
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
  /** The bytes to pass on for these; empty when there are none yet. @throws {ProviderFault} the provider breaks the format, or says that it failed. */
  take(bytes: Buffer): string;
  /** Set when what came after the bytes passed on last was the provider's failure. */
  readonly fault: ProviderFault | null;
  /** The provider has said `[DONE]`. */
  readonly isDone: boolean;
  /** Every choice has its end, so that the stream may end without `[DONE]`. */
  readonly isComplete: boolean;
  /** As the provider reported it last. */
  readonly usage: TokenCounts | null;
  /** All text that was passed on, for counting where the provider reports nothing. */
  text(): string;
}

/** No event is longer: a whole picture in base64 is not. */
const MAX_EVENT_CHARS = 16 * 1024 * 1024;

export function createChunkReader(choiceCount: number, wantsUsage: boolean): ChunkReader {
  const decoder = new StringDecoder("utf8");
  const passed: string[] = [];
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
      const chunk = parse(data);
      if (chunk === null) fault = new ProviderFault("The provider's stream is not valid JSON.");
      else if (chunk.error !== undefined && chunk.error !== null) fault = new ProviderFault(messageOf(chunk.error));
      else {
        const kept = passOn(chunk, data);
        if (kept !== "") output += `data: ${kept.replaceAll("\n", "\ndata: ")}\n\n`;
      }
    },
    // A provider that is still busy says so; the caller's connection stays open as well.
    onComment: (comment) => {
      if (passed.length > 0) output += `:${comment}\n\n`;
    },
  });

  function passOn(chunk: Chunk, data: string): string {
    const choices = chunk.choices ?? [];
    for (const { delta, finish_reason: reason } of choices) {
      if (reason) finished++;
      if (!delta) continue;
      for (const text of [delta.content, delta.reasoning ?? delta.reasoning_content]) {
        if (typeof text === "string") passed.push(text);
      }
      for (const { function: called } of delta.tool_calls ?? [])
        passed.push(`${called?.name ?? ""}${called?.arguments ?? ""}`);
    }
    if (chunk.usage === undefined || chunk.usage === null) return data;
    usage = readUsage(chunk.usage) ?? usage;
    if (wantsUsage) return data;
    // Asked for by the gateway, not by the caller.
    return choices.length === 0 ? "" : JSON.stringify({ ...chunk, usage: undefined });
  }

  return {
    take(bytes) {
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
    text: () => passed.join(""),
  };
}

function parse(data: string): Chunk | null {
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

function messageOf(error: unknown): string {
  const message = typeof error === "string" ? error : (error as { message?: unknown }).message;
  return typeof message === "string" ? message.slice(0, 1_000) : "The provider failed.";
}
