/** How many tokens a text is. */
import { lazy } from "../platform/concurrency/memoize.ts";
import type { ChatBody } from "./chat-request.ts";
import type { OfferedModel } from "./deps.ts";

/** Merging is quadratic in the length of one word: what is longer than any word is cut, which adds a token at most. */
const PIECE_CHARS = 256;
/** Counting more than this would hold everybody up; the rest counts two bytes a token, which is more than any prose. */
const COUNTED_CHARS = 64 * 1024;
/** OpenAI's chat format: each message, and the answer's beginning. */
const TOKENS_PER_MESSAGE = 4;
const TOKENS_PER_REQUEST = 3;
/** Sound or film, however short. */
const LEAST_MEDIA_TOKENS = 1_500;
/** Of a file, sound or film in base64: the densest, a compressed text with its pages as pictures, stay below. */
const CHARS_PER_MEDIA_TOKEN = 2;
/** More than any model takes: what the provider fetches or keeps itself may be of any length. */
const UNKNOWN_LENGTH_TOKENS = 1_000_000_000;

type Count = (text: string) => number;

/** Loaded when it is first needed: its tables take most of a second. */
const loadEncoding = lazy(async (): Promise<Count> => {
  const { countTokens: count } = await import("gpt-tokenizer/encoding/o200k_base");
  // A marker of the format, such as <|endoftext|>, counts as the text that it is.
  const options = { disallowedSpecial: new Set<string>() };
  return (text) => count(text, options);
});

/** Tokens of a text by OpenAI's o200k encoding. */
export async function countTokens(text: string): Promise<number> {
  if (text === "") return 0;
  const count = await loadEncoding();
  let tokens = 0;
  const end = Math.min(text.length, COUNTED_CHARS);
  for (let at = 0; at < end; at += PIECE_CHARS) tokens += count(text.slice(at, Math.min(at + PIECE_CHARS, end)));
  return tokens + Math.ceil(Buffer.byteLength(text.slice(end)) / 2);
}

/** All that is sent. What a picture is differs from model to model; of other media only the most is known. */
export interface PromptCount {
  /** Messages, tools and the answer's format. */
  readonly textTokens: number;
  readonly mostMediaTokens: number;
  readonly pictures: number;
}

/** What a model may make of a prompt at most: never more than it takes. */
export function mostTokens(
  { textTokens, mostMediaTokens, pictures }: PromptCount,
  { tokensPerPicture, contextLength }: Pick<OfferedModel, "tokensPerPicture" | "contextLength">,
): number {
  return Math.min(textTokens + mostMediaTokens + pictures * tokensPerPicture, contextLength);
}

export async function countPrompt(body: ChatBody): Promise<PromptCount> {
  const texts: string[] = [];
  let textTokens = TOKENS_PER_REQUEST;
  let mostMediaTokens = 0;
  let pictures = 0;
  for (const { content, ...rest } of body.messages) {
    textTokens += TOKENS_PER_MESSAGE;
    texts.push(Object.values(rest).map(textOf).join("\n"));
    for (const part of Array.isArray(content) ? content : [content]) {
      if (isPicture(part)) pictures++;
      const media = isPicture(part) ? 0 : mediaTokens(part);
      if (media === null) texts.push(textOf(part));
      else mostMediaTokens += media;
    }
  }
  for (const name of ["tools", "functions", "response_format"] as const) {
    if (body[name] !== undefined) texts.push(JSON.stringify(body[name]));
  }
  textTokens += await countTokens(texts.join("\n"));
  return { textTokens, mostMediaTokens, pictures };
}

function textOf(part: unknown): string {
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

/** OpenAI's name is `image_url`; other providers have others. */
function isPicture(part: unknown): boolean {
  const { type } = (part ?? {}) as Part;
  return typeof type === "string" && type.includes("image");
}

/** What a part that is neither text nor picture may count at most; null for a text. */
function mediaTokens(part: unknown): number | null {
  const { type, file, input_audio: sound, video_url: film } = (part ?? {}) as Part;
  if (type !== "file" && type !== "input_audio" && type !== "video_url") return null;
  const data = file?.file_data ?? sound?.data ?? film?.url;
  if (typeof data !== "string" || /^https?:/i.test(data)) return UNKNOWN_LENGTH_TOKENS;
  return Math.max(LEAST_MEDIA_TOKENS, Math.ceil(data.length / CHARS_PER_MEDIA_TOKEN));
}
