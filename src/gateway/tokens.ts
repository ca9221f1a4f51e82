/** Token counts of texts and prompts: bounds for reservations, and estimates for charges. */
import { lazy } from "../platform/concurrency/memoize.ts";
import type { ChatBody } from "./chat-request.ts";
import type { OfferedModel } from "./deps.ts";
import { estimatePictureTokens } from "./picture-tokens.ts";
import type { TokenBound } from "./price.ts";

/** Maximum piece that is encoded at once: merging is quadratic in the length of a word. A cut adds at most one token. */
const PIECE_CHARS = 256;
/** Maximum characters to encode, because encoding blocks the event loop. The rest counts as two bytes a token, an upper bound for prose. */
const COUNTED_CHARS = 64 * 1024;
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

/** Counts the tokens of a text with OpenAI's o200k encoding. */
export async function countTokens(text: string): Promise<number> {
  if (text === "") return 0;
  const count = await loadEncoding();
  let tokens = 0;
  const end = Math.min(text.length, COUNTED_CHARS);
  for (let at = 0; at < end; at += PIECE_CHARS) tokens += count(text.slice(at, Math.min(at + PIECE_CHARS, end)));
  return tokens + Math.ceil(Buffer.byteLength(text.slice(end)) / 2);
}

/** The content of a prompt. Tokens of pictures depend on the model; for other media only a bound and an estimate are known. */
export interface PromptCount {
  /** Tokens of messages, tools and the response format. */
  readonly textTokens: number;
  readonly maxMediaTokens: number;
  readonly estimatedMediaTokens: number;
  /** Estimated tokens of each picture. */
  readonly estimatedPictureTokens: readonly number[];
}

type ModelLimits = Pick<OfferedModel, "tokensPerPicture" | "contextLength">;

/** Returns the maximum tokens of a prompt for a model, at most its context length. */
export function boundPrompt(
  { textTokens, maxMediaTokens, estimatedPictureTokens }: PromptCount,
  { tokensPerPicture, contextLength }: ModelLimits,
): TokenBound {
  const pictureTokens = estimatedPictureTokens.length * tokensPerPicture;
  return { atMostTokens: Math.min(textTokens + maxMediaTokens + pictureTokens, contextLength) };
}

/** Returns the estimated tokens of a prompt for a model, at most its bound. Charged if the provider reports no usage. */
export function estimatePrompt(prompt: PromptCount, model: ModelLimits): number {
  const { textTokens, estimatedMediaTokens, estimatedPictureTokens } = prompt;
  const pictureTokens = estimatedPictureTokens.reduce(
    (sum, tokens) => sum + Math.min(tokens, model.tokensPerPicture),
    0,
  );
  return Math.min(textTokens + estimatedMediaTokens + pictureTokens, boundPrompt(prompt, model).atMostTokens);
}

export async function countPrompt(body: ChatBody): Promise<PromptCount> {
  const texts: string[] = [];
  let textTokens = TOKENS_PER_REQUEST;
  let maxMediaTokens = 0;
  let estimatedMediaTokens = 0;
  const estimatedPictureTokens: number[] = [];
  for (const { content, ...rest } of body.messages) {
    textTokens += TOKENS_PER_MESSAGE;
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
    if (body[name] !== undefined) texts.push(JSON.stringify(body[name]));
  }
  textTokens += await countTokens(texts.join("\n"));
  return { textTokens, maxMediaTokens, estimatedMediaTokens, estimatedPictureTokens };
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
