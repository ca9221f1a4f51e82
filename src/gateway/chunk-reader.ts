/** Parser of a provider's event stream that returns the bytes to forward to the caller. */
import { StringDecoder } from "node:string_decoder";
import { createParser } from "eventsource-parser";
import type { Provider } from "./deps.ts";
import { ProviderFault } from "./errors.ts";
import { listTexts, type Output } from "./output-text.ts";
import { listAudioIds } from "./provider-ids.ts";
import { findProviderError, type ProviderError, readReason } from "./provider-reason.ts";
import { mergeReports, type ReportedUsage, readUsage } from "./usage.ts";

interface Chunk {
  readonly id?: unknown;
  readonly created?: unknown;
  readonly model?: unknown;
  readonly choices?: readonly Choice[] | null;
  readonly usage?: unknown;
  readonly service_tier?: unknown;
  /** Groq's. */
  readonly x_groq?: { readonly usage?: unknown } | null;
}

type Choice = {
  readonly index?: unknown;
  readonly delta?: Output | null;
  readonly finish_reason?: string | null;
} | null;

export interface ChunkReader {
  /**
   * Parses received bytes and returns the text to forward, empty if no event is complete.
   *
   * @throws {ProviderFault} if the stream is malformed or contains an error, and nothing is left to forward.
   */
  read(bytes: Buffer): string;
  /** The provider's failure, if one followed the bytes that were forwarded last. */
  readonly fault: ProviderFault | null;
  /** The error that the provider stated before any output, also as a body that is no event stream; null if it stated none. */
  findEarlyError(): ProviderError | null;
  /** Whether the provider has sent `[DONE]`. */
  readonly isDone: boolean;
  /** Whether every choice has a finish reason; the stream may then end without `[DONE]`. */
  readonly isComplete: boolean;
  /** The usage last reported by the provider; reports are never added up. */
  readonly usage: ReportedUsage | null;
  /** Whether text followed the last report of usage. */
  readonly hasLaterOutput: boolean;
  /** The service tier that the provider states; null if it states none. */
  readonly servedTier: string | null;
  /** Ids of audio at the provider. */
  readonly audioIds: readonly string[];
  /** Returns the chunk that states the usage, which the caller requested. @param usage its member `usage` */
  formatUsageChunk(createUsage: (reported: unknown) => object): string;
  /** Returns the comments, and chunks without choices, that were received before the first choice. */
  drainWithheld(): string;
  /** Returns all forwarded text, for counting tokens if the provider reports no usage. */
  text(): string;
}

/** Maximum length of an event; even an image in base64 is shorter. */
const MAX_EVENT_CHARS = 16 * 1024 * 1024;
const MAX_WITHHELD_CHARS = 64 * 1024;
/** Maximum length of a body that is no event stream but an error. */
const MAX_ERROR_CHARS = 64 * 1024;
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
  const finishedChoices = new Set<unknown>();
  let isDone = false;
  let reportedUsage: unknown = null;
  let textsAtReport = 0;
  let servedTier: string | null = null;
  let earlyError: ProviderError | null = null;
  let earlyText = "";
  let lastChunk: Chunk = {};
  let hasEvents = false;
  let withheld = "";
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
      else if (error) {
        earlyError = hasEvents ? null : error;
        fault = new ProviderFault("The provider failed.", { reason: readReason(error, apiKey) });
      }
      if (parsed === null || fault) return;
      const forwarded = filterChunk(parsed, data);
      if (forwarded === "") return;
      const text = `data: ${forwarded.replaceAll("\n", "\ndata: ")}\n\n`;
      // Azure's first chunk has no choices: a stream without others is no response.
      if (!hasEvents && !parsed.choices?.length) withhold(text);
      else {
        output += `${reader.drainWithheld()}${text}`;
        hasEvents = true;
      }
    },
    // Providers send comments as keep-alives; forwarding them also holds the caller's connection open. Those before the first event
    // are withheld, since the first byte decides for this provider.
    onComment: (comment) => {
      if (OWN_COMMENT.test(comment)) return;
      if (hasEvents) output += `: ${comment}\n\n`;
      else withhold(`: ${comment}\n\n`);
    },
  });

  function withhold(text: string): void {
    if (withheld.length + text.length <= MAX_WITHHELD_CHARS) withheld += text;
  }

  function filterChunk(chunk: Chunk, data: string): string {
    const choices = Array.isArray(chunk.choices) ? (chunk.choices as readonly Choice[]) : [];
    lastChunk = chunk;
    if (typeof chunk.service_tier === "string") servedTier = chunk.service_tier;
    for (const choice of choices) {
      if (choice?.finish_reason) finishedChoices.add(choice.index);
      texts.push(...listTexts(choice?.delta).filter((text) => text !== ""));
      audioIds.push(...listAudioIds(choice?.delta));
    }
    const reported = chunk.usage ?? chunk.x_groq?.usage;
    if (reported === undefined || reported === null) return data;
    reportedUsage = mergeReports(reportedUsage, reported);
    textsAtReport = texts.length;
    // The usage follows at the end, with the cost of the call.
    return choices.length === 0 ? "" : JSON.stringify({ ...chunk, usage: undefined });
  }

  const reader: ChunkReader = {
    audioIds,
    read(bytes) {
      output = "";
      pendingChars += bytes.length;
      if (pendingChars > MAX_EVENT_CHARS) throw new ProviderFault("The provider's stream has an event without end.");
      const text = decoder.write(bytes);
      if (!hasEvents && earlyText.length < MAX_ERROR_CHARS) earlyText += text;
      parser.feed(text);
      if (fault && output === "") throw fault;
      return output;
    },
    get fault() {
      return fault;
    },
    findEarlyError: () => earlyError ?? (hasEvents ? null : findProviderError(parseEvent(earlyText))),
    get isDone() {
      return isDone;
    },
    get isComplete() {
      return finishedChoices.size >= choiceCount;
    },
    get usage() {
      return readUsage(reportedUsage, costUnit);
    },
    get hasLaterOutput() {
      return texts.length > textsAtReport;
    },
    get servedTier() {
      return servedTier;
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
    drainWithheld() {
      const text = withheld;
      withheld = "";
      return text;
    },
  };
  return reader;
}

function parseEvent(data: string): Chunk | null {
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === "object" ? (value as Chunk | null) : null;
  } catch {
    return null;
  }
}
