/** Token counts of texts and prompts: bounds for reservations, and estimates for charges. */
import { lazy } from "../platform/concurrency/memoize.ts";
import type { ChatBody } from "./chat-request.ts";
import type { OfferedModel } from "./deps.ts";
import { estimatePictureTokens } from "./picture-tokens.ts";
import type { TokenBound } from "./price.ts";

/** Maximum piece that is encoded at once: merging is quadratic in the length of a word. A cut adds at most one token. */
const PIECE_CHARS = 256;
/** Maximum pieces to encode, because encoding blocks the event loop. Of a longer text, pieces at equal distances are encoded. */
const MAX_PIECES = 256;
/** Bytes per token of text that is not encoded: a bound for prose. */
const MIN_BYTES_PER_TOKEN = 2;
/** Overhead of OpenAI's chat format per message, and per request for the start of the completion. */
const TOKENS_PER_MESSAGE = 4;
const TOKENS_PER_REQUEST = 3;
/** Minimum tokens of an audio or video part. */
const MIN_MEDIA_TOKENS = 1_500;
/** Base64 characters per token of a file, audio or video part. Even the densest files, compressed text with page images, stay below. */
const CHARS_PER_MEDIA_TOKEN = 2;
/** The same of an average file, for estimates: speech of 16 kB a second has 10 tokens. */
const AVERAGE_CHARS_PER_MEDIA_TOKEN = 2_000;
/** Exceeds every context length: content that the provider fetches or stores itself may have any length. */
const UNKNOWN_LENGTH_TOKENS = 1_000_000_000;

type TokenCounter = (text: string) => number;

/** Loads the encoding on first use: its tables need most of a second. */
const loadEncoding = lazy(async (): Promise<TokenCounter> => {
  const { countTokens: count } = await import("gpt-tokenizer/encoding/o200k_base");
  // Special tokens such as <|endoftext|> count as plain text.
  const options = { disallowedSpecial: new Set<string>() };
  return (text) => count(text, options);
});

export interface TextCount extends TokenBound {
  readonly estimatedTokens: number;
}

/** Counts the tokens of a text with OpenAI's o200k encoding. */
export async function countText(text: string): Promise<TextCount> {
  if (text === "") return { estimatedTokens: 0, atMostTokens: 0 };
  const count = await loadEncoding();
  const pieces = Math.ceil(text.length / PIECE_CHARS);
  const encoded = Math.min(pieces, MAX_PIECES);
  let [tokens, encodedChars, encodedBytes] = [0, 0, 0];
  for (let index = 0; index < encoded; index++) {
    const at = Math.floor((index * pieces) / encoded) * PIECE_CHARS;
    const piece = text.slice(at, at + PIECE_CHARS);
    tokens += count(piece);
    encodedChars += piece.length;
    if (pieces > encoded) encodedBytes += Buffer.byteLength(piece);
  }
  if (pieces === encoded) return { estimatedTokens: tokens, atMostTokens: tokens };
  const otherBytes = Math.max(0, Buffer.byteLength(text) - encodedBytes);
  return {
    estimatedTokens: Math.round((tokens * text.length) / encodedChars),
    atMostTokens: tokens + Math.ceil(otherBytes / MIN_BYTES_PER_TOKEN),
  };
}

/** The content of a prompt. Tokens of pictures depend on the model; for other media only a bound and an estimate are known. */
export interface PromptCount {
  /** Tokens of messages, tools and the response format. */
  readonly maxTextTokens: number;
  readonly estimatedTextTokens: number;
  readonly maxMediaTokens: number;
  readonly estimatedMediaTokens: number;
  /** Estimated tokens of each picture. */
  readonly estimatedPictureTokens: readonly number[];
}

type ModelLimits = Pick<OfferedModel, "tokensPerPicture" | "contextLength">;

/** Returns the maximum tokens of a prompt for a model, at most its context length. */
export function boundPrompt(
  { maxTextTokens, maxMediaTokens, estimatedPictureTokens }: PromptCount,
  { tokensPerPicture, contextLength }: ModelLimits,
): TokenBound {
  const pictureTokens = estimatedPictureTokens.length * tokensPerPicture;
  return { atMostTokens: Math.min(maxTextTokens + maxMediaTokens + pictureTokens, contextLength) };
}

/** Returns the estimated tokens of a prompt for a model, at most its bound. Charged if the provider reports no usage. */
export function estimatePrompt(prompt: PromptCount, model: ModelLimits): number {
  const estimated = prompt.estimatedTextTokens + estimateOtherTokens(prompt, model);
  return Math.min(estimated, boundPrompt(prompt, model).atMostTokens);
}

function estimateOtherTokens(
  { estimatedMediaTokens, estimatedPictureTokens }: PromptCount,
  model: ModelLimits,
): number {
  return estimatedPictureTokens.reduce(
    (sum, tokens) => sum + Math.min(tokens, model.tokensPerPicture),
    estimatedMediaTokens,
  );
}

/** Returns the tokens of the context that a prompt may need: other encodings count up to a quarter more tokens than OpenAI's. */
export function reserveContext(prompt: PromptCount, model: ModelLimits): number {
  return Math.ceil(prompt.estimatedTextTokens * 1.25) + estimateOtherTokens(prompt, model);
}

export async function countPrompt(body: ChatBody): Promise<PromptCount> {
  const texts: string[] = [];
  let formatTokens = TOKENS_PER_REQUEST;
  let maxMediaTokens = 0;
  let estimatedMediaTokens = 0;
  const estimatedPictureTokens: number[] = [];
  for (const { content, ...rest } of body.messages) {
    formatTokens += TOKENS_PER_MESSAGE;
    texts.push(Object.values(rest).map(extractText).join("\n"));
    for (const part of Array.isArray(content) ? content : [content]) {
      const media = isPicture(part) ? null : measureMedia(part);
      if (isPicture(part)) estimatedPictureTokens.push(estimatePictureTokens(part));
      else if (media === null) texts.push(extractText(part));
      else {
        maxMediaTokens += media.atMostTokens;
        estimatedMediaTokens += media.estimatedTokens;
      }
    }
  }
  for (const name of ["tools", "functions", "response_format"] as const) {
    if (body[name] != null) texts.push(JSON.stringify(body[name]));
  }
  const text = await countText(texts.join("\n"));
  return {
    maxTextTokens: formatTokens + text.atMostTokens,
    estimatedTextTokens: formatTokens + text.estimatedTokens,
    ...{ maxMediaTokens, estimatedMediaTokens, estimatedPictureTokens },
  };
}

function extractText(part: unknown): string {
  if (typeof part === "string") return part;
  if (part === null || part === undefined) return "";
  const { text } = part as { text?: unknown };
  return typeof text === "string" ? text : JSON.stringify(part);
}

interface Part {
  readonly type?: unknown;
  readonly file?: { readonly file_data?: unknown } | null;
  readonly input_audio?: { readonly data?: unknown } | null;
  readonly video_url?: { readonly url?: unknown } | null;
}

/** Returns true for a picture. OpenAI's type is `image_url`; other providers use other names. */
export function isPicture(part: unknown): boolean {
  const { type } = (part ?? {}) as Part;
  return typeof type === "string" && type.includes("image");
}

/** Returns the tokens of a part that is neither text nor picture; null for text. */
function measureMedia(part: unknown): (TokenBound & { readonly estimatedTokens: number }) | null {
  const { type, file, input_audio: audio, video_url: video } = (part ?? {}) as Part;
  if (type !== "file" && type !== "input_audio" && type !== "video_url") return null;
  const data = file?.file_data ?? audio?.data ?? video?.url;
  if (typeof data !== "string" || /^https?:/i.test(data)) {
    return { atMostTokens: UNKNOWN_LENGTH_TOKENS, estimatedTokens: MIN_MEDIA_TOKENS };
  }
  const atMostTokens = Math.max(MIN_MEDIA_TOKENS, Math.ceil(data.length / CHARS_PER_MEDIA_TOKEN));
  return { atMostTokens, estimatedTokens: Math.ceil(data.length / AVERAGE_CHARS_PER_MEDIA_TOKEN) };
}
