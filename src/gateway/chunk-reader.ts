/** Parser of a provider's event stream that returns the bytes to forward to the caller. */
import { StringDecoder } from "node:string_decoder";
import { createParser } from "eventsource-parser";
import type { Provider } from "./deps.ts";
import { ProviderFault } from "./errors.ts";
import { listTexts, type Output } from "./output-text.ts";
import { listAudioIds } from "./provider-ids.ts";
import { findProviderError, readReason } from "./provider-reason.ts";
import { type ReportedUsage, readUsage } from "./usage.ts";

interface Chunk {
  readonly id?: unknown;
  readonly created?: unknown;
  readonly model?: unknown;
  readonly choices?: readonly { readonly delta?: Output | null; readonly finish_reason?: string | null }[];
  readonly usage?: unknown;
  /** Groq's. */
  readonly x_groq?: { readonly usage?: unknown } | null;
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
  /** The usage last reported by the provider, apart from zeros after other counts; reports are never added up. */
  readonly usage: ReportedUsage | null;
  /** Ids of audio at the provider. */
  readonly audioIds: readonly string[];
  /** Returns the chunk that states the usage, which the caller requested. @param usage its member `usage` */
  formatUsageChunk(createUsage: (reported: unknown) => object): string;
  /** Returns the comments received before the first event. */
  drainComments(): string;
  /** Returns all forwarded text, for counting tokens if the provider reports no usage. */
  text(): string;
}

/** Maximum length of an event; even an image in base64 is shorter. */
const MAX_EVENT_CHARS = 16 * 1024 * 1024;
const MAX_EARLY_COMMENT_CHARS = 16 * 1024;
/** Comments by which Satchel states the cost. A provider's are not forwarded. */
const OWN_COMMENT = /^\s*x-satchel-/i;
/** Other named events, such as `ping`, are no chunks. */
const CHUNK_EVENTS: readonly (string | undefined)[] = [undefined, "", "message", "error"];

export function createChunkReader(
  choiceCount: number,
  { costUnit, apiKey }: Pick<Provider, "costUnit" | "apiKey">,
): ChunkReader {
  const decoder = new StringDecoder("utf8");
  const texts: string[] = [];
  const audioIds: string[] = [];
  let output = "";
  let pendingChars = 0;
  let finished = 0;
  let isDone = false;
  let usage: ReportedUsage | null = null;
  let reportedUsage: unknown = null;
  let lastChunk: Chunk = {};
  let hasEvents = false;
  let earlyComments = "";
  let fault: ProviderFault | null = null;

  const parser = createParser({
    onEvent({ event, data }) {
      pendingChars = 0;
      if (isDone || fault || !CHUNK_EVENTS.includes(event)) return;
      if (data.trim() === "[DONE]") {
        isDone = true;
        return;
      }
      const parsed = parseEvent(data);
      const error = findProviderError(parsed);
      if (parsed === null) fault = new ProviderFault("The provider's stream is not valid JSON.");
      else if (error) fault = new ProviderFault("The provider failed.", { reason: readReason(error, apiKey) });
      if (parsed === null || fault) return;
      const forwarded = filterChunk(parsed, data);
      if (forwarded === "") return;
      output += `${reader.drainComments()}data: ${forwarded.replaceAll("\n", "\ndata: ")}\n\n`;
      hasEvents = true;
    },
    // Providers send comments as keep-alives; forwarding them also holds the caller's connection open. Those before the first event
    // are withheld, since the first byte decides for this provider.
    onComment: (comment) => {
      if (OWN_COMMENT.test(comment)) return;
      if (hasEvents) output += `: ${comment}\n\n`;
      else if (earlyComments.length < MAX_EARLY_COMMENT_CHARS) earlyComments += `: ${comment}\n\n`;
    },
  });

  function filterChunk(chunk: Chunk, data: string): string {
    const choices = chunk.choices ?? [];
    lastChunk = chunk;
    for (const { delta, finish_reason: reason } of choices) {
      if (reason) finished++;
      texts.push(...listTexts(delta));
      audioIds.push(...listAudioIds(delta));
    }
    const reported = chunk.usage ?? chunk.x_groq?.usage;
    if (reported === undefined || reported === null) return data;
    const read = readUsage(reported, costUnit);
    if (read && !(read.isEmpty && usage)) {
      usage = read;
      reportedUsage = reported;
    }
    // The usage follows at the end, with the cost of the call.
    return choices.length === 0 ? "" : JSON.stringify({ ...chunk, usage: undefined });
  }

  const reader: ChunkReader = {
    audioIds,
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
    formatUsageChunk(createUsage) {
      const { id, created, model } = lastChunk;
      const chunk = {
        id,
        object: "chat.completion.chunk",
        created,
        model,
        choices: [],
        usage: createUsage(reportedUsage),
      };
      return `data: ${JSON.stringify(chunk)}\n\n`;
    },
    drainComments() {
      const comments = earlyComments;
      earlyComments = "";
      return comments;
    },
  };
  return reader;
}

function parseEvent(data: string): object | null {
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}
