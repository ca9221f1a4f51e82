/** How many tokens a text is. */
import type { ChatBody } from "./chat-request.ts";

/** Merging is quadratic in the length of one word: what is longer than any word is cut, which adds a token at most. */
const PIECE_CHARS = 256;
/** Counting more than this would hold everybody up; the rest counts two bytes a token, which is more than any prose. */
const COUNTED_CHARS = 64 * 1024;
/** OpenAI's chat format: each message, and the answer's beginning. */
const TOKENS_PER_MESSAGE = 4;
const TOKENS_PER_REQUEST = 3;
/** More than a picture of any size costs at the models that are sold by token (OpenAI's high detail: 1,445). */
const TOKENS_PER_PICTURE = 1_500;
/** Of a file, sound or film in base64: the densest, a compressed text with its pages as pictures, stay below. */
const CHARS_PER_MEDIA_TOKEN = 2;
/** More than any model takes: what the provider fetches or keeps itself may be of any length. */
const UNKNOWN_LENGTH_TOKENS = 1_000_000_000;

type Count = (text: string) => number;
let encoding: Promise<Count> | undefined;

/** Loaded when it is first needed: its tables take most of a second. */
function loadEncoding(): Promise<Count> {
  encoding ??= import("gpt-tokenizer/encoding/o200k_base").then(({ countTokens: count }) => {
    // A marker of the format, such as <|endoftext|>, counts as the text that it is.
    const options = { disallowedSpecial: new Set<string>() };
    return (text) => count(text, options);
  });
  return encoding;
}

/** Tokens of a text by OpenAI's o200k encoding. */
export async function countTokens(text: string): Promise<number> {
  if (text === "") return 0;
  const count = await loadEncoding();
  let tokens = 0;
  const end = Math.min(text.length, COUNTED_CHARS);
  for (let at = 0; at < end; at += PIECE_CHARS) tokens += count(text.slice(at, Math.min(at + PIECE_CHARS, end)));
  return tokens + Math.ceil(Buffer.byteLength(text.slice(end)) / 2);
}

/** Tokens of all that is sent: messages, pictures, tools and the answer's format. */
export async function countPromptTokens(body: ChatBody): Promise<number> {
  const texts: string[] = [];
  let tokens = TOKENS_PER_REQUEST;
  for (const { content, ...rest } of body.messages) {
    tokens += TOKENS_PER_MESSAGE;
    texts.push(Object.values(rest).map(textOf).join("\n"));
    for (const part of Array.isArray(content) ? content : [content]) {
      const media = mediaTokens(part);
      if (media === null) texts.push(textOf(part));
      else tokens += media;
    }
  }
  for (const name of ["tools", "functions", "response_format"] as const) {
    if (body[name] !== undefined) texts.push(JSON.stringify(body[name]));
  }
  return Math.min(tokens + (await countTokens(texts.join("\n"))), UNKNOWN_LENGTH_TOKENS);
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

/** What a part that is no text may count at most; null for a text. */
function mediaTokens(part: unknown): number | null {
  const { type, file, input_audio: sound, video_url: film } = (part ?? {}) as Part;
  if (type === "image_url") return TOKENS_PER_PICTURE;
  if (type !== "file" && type !== "input_audio" && type !== "video_url") return null;
  const data = file?.file_data ?? sound?.data ?? film?.url;
  if (typeof data !== "string" || /^https?:/i.test(data)) return UNKNOWN_LENGTH_TOKENS;
  return Math.max(TOKENS_PER_PICTURE, Math.ceil(data.length / CHARS_PER_MEDIA_TOKEN));
}
