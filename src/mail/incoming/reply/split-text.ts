/**
 * Splits the text of a reply into new content, quoted text and signature. Only form proves that text is quoted: `>` marks,
 * an attribution with address and date, or a header block. Words alone prove nothing. Each line is
 * examined a fixed number of times, so the time is linear.
 */
import { isDeviceSignature } from "./device-signatures.ts";

export interface SplitReply {
  /** The whole text when nothing is quoted or everything is. */
  readonly newText: string;
  /** Null when nothing is quoted. */
  readonly quotedText: string | null;
  readonly signature: string | null;
}

export interface ReplyContext {
  /** Whether the message refers to another one. Otherwise an earlier message in it is a forward, which is new content. */
  readonly isReply: boolean;
  readonly subject: string;
}

/** A longer line is prose. In UTF-16 code units. */
const MAX_MARK_LENGTH = 300;
/** Mail clients wrap an attribution over at most this many lines. */
const ATTRIBUTION_LINES = 4;
/** Fields of a header block. */
const MAX_FIELDS = 8;
const MAX_SIGNATURE_LINES = 10;
const MIN_SUBJECT_BEGINNING = 20;

const ADDRESS = /[^\s@<>()[\]:;,]{1,64}@[^\s@<>()[\]:;,]{1,190}\.[^\s@<>()[\]:;,]{2,60}/u;
const DATE = /\d{4}|\d{1,2}[.:h]\d{2}|[\p{Nd}--[0-9]]{2}/v;
const COLON = /[:：]$/u;
const YEAR = /(?<!\d)\d{4}(?!\d)|[\p{Nd}--[0-9]]{4}/v;
const TIME = /\d{1,2}[.:h]\d{2}/;
const FIELD = /^[*_]{0,2}[\p{L}\p{M}][\p{L}\p{M} .'’-]{0,29}[*_]{0,2}\s?[:：][*_]{0,2}\s*\S/u;
const RULE = /^[_-]{10,}$/;
const TITLED_RULE = /^[-_‐–—]{3,}\s?\p{L}[\p{L}\p{M} '’]{2,40}\s?[-_‐–—]{3,}$/u;
/** Between dashes above an earlier message, as of Outlook, in 30 languages. */
const ORIGINAL_MESSAGE = new RegExp(
  `^[-_‐–—]{3,}\\s?(?:${[
    "original (?:message|appointment)|(?:ursprüngliche |original-?)nachricht|message (?:d['’]origine|original)|mensaje original",
    "messaggio originale|mensagem original|oorspronkelijk bericht|(?:ursprungligt |original)meddelande|oprindelig meddelelse",
    "opprinnelig melding|alkuperäinen viesti|oryginalna wiadomość|wiadomość oryginalna|původní zpráva|pôvodná správa",
    "eredeti üzenet|mesaj(?:ul)? original|оригинално съобщение|(?:исходное|оригинальное) сообщение",
    "(?:вихідне|оригінальне) повідомлення|αρχικό μήνυμα|(?:özgün|orijinal) (?:[iİ]leti|mesaj)|הודעה מקורית|(?:ال)?رسالة (?:ال)?أصلية",
    "मूल संदेश|ข้อความ(?:ต้นฉบับ|ดั้งเดิม)|(?:thư|tin nhắn) gốc|pesan asli|元のメッセージ|원본 ?메시지|原始邮件|邮件原件|原始郵件",
  ].join("|")})\\s?[-_‐–—]{3,}$`,
  "iu",
);
/** Zoho's attribution, in place of a colon. */
const DASHED = /^-{2,6}\s.*\s-{2,6}$/;
/** An earlier Gmail's attribution. */
const WITHOUT_WORDS = /^\d{4}\/\d{1,2}\/\d{1,2} [^<>]{1,100}<[^<>]{3,}>$/;
/** Lines that a mail client wraps are longer. */
const MIN_WRAPPED_LENGTH = 50;
const MAX_CONTINUATIONS = 50;

/** @param text with line feeds as the only line breaks */
export function splitReplyText(text: string, context: ReplyContext): SplitReply {
  const lines = text.split("\n");
  const isQuoted: boolean[] = new Array(lines.length).fill(false);
  for (let index = 0; index < lines.length; index++) {
    if (isQuoted[index]) continue;
    const line = (lines[index] ?? "").trim();
    if (line.startsWith(">")) {
      isQuoted[index] = true;
      continue;
    }
    const isWrote = line.length <= MAX_MARK_LENGTH && WROTE.test(line) && (lines[index + 1] ?? "").startsWith(">");
    const attributionLines = countAttributionLines(lines, index) || (isWrote ? 1 : 0);
    const next = findText(lines, index + attributionLines);
    if (attributionLines > 0 && (next?.startsWith(">") || (context.isReply && next !== undefined))) {
      // Quotes with `>` can have replies between and below them. Without `>`, everything below is quoted.
      const end = next?.startsWith(">") ? index + attributionLines : lines.length;
      isQuoted.fill(true, findTitle(lines, index), end);
    } else if (context.isReply && (isTitle(line) || isHeaderBlock(lines, index, context.subject)))
      isQuoted.fill(true, index);
  }
  const { body, signature } = splitSignature(lines, isQuoted);
  const newText = tidy(body);
  if (newText === "") return { newText: text.trim(), quotedText: null, signature: null };
  const quotedText = lines
    .filter((_line, index) => isQuoted[index])
    .join("\n")
    .trim();
  return { newText, quotedText: quotedText === "" ? null : quotedText, signature };
}

function tidy(lines: readonly string[]): string {
  return lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

function findText(lines: readonly string[], from: number): string | undefined {
  for (let index = from; index < Math.min(lines.length, from + MAX_FIELDS); index++) {
    const line = lines[index]?.trim() ?? "";
    if (line !== "") return line;
  }
  return undefined;
}

/** Returns the number of lines from `index` that form an attribution, which ends above quoted text; 0 for none. */
function countAttributionLines(lines: readonly string[], index: number): number {
  let joined = "";
  let isWrapped = true;
  let previousLength = 0;
  for (let count = 1; count <= ATTRIBUTION_LINES; count++) {
    const line = lines[index + count - 1]?.trim() ?? "";
    if (line === "" || line.startsWith(">") || joined.length + line.length > MAX_MARK_LENGTH) return 0;
    joined = joined === "" ? line : `${joined} ${line}`;
    // If its end alone is an attribution, the first line is new content.
    if (isAttribution(joined))
      return count > 1 && isAttribution(lines.slice(index + 1, index + count).join(" ")) ? 0 : count;
    isWrapped &&= count === 1 || previousLength >= MIN_WRAPPED_LENGTH;
    previousLength = line.length;
    if (isWrapped && isAttributionAboveQuote(joined) && findText(lines, index + count)?.startsWith(">")) return count;
  }
  return 0;
}

function isTitle(line: string): boolean {
  return line.length <= MAX_MARK_LENGTH && ORIGINAL_MESSAGE.test(line);
}

/** Returns the index of a title such as `----- Original Message -----` above an attribution, or `index`. */
function findTitle(lines: readonly string[], index: number): number {
  const at = (lines[index - 1] ?? "").trim() === "" ? index - 2 : index - 1;
  return TITLED_RULE.test((lines[at] ?? "").trim()) ? at : index;
}

/** Ends of attributions without an address. They count only above lines with `>`. */
const WROTE = new RegExp(
  `(?:${[
    String.raw`\bwrote|\bwrites|a écrit|escribió|ha scritto|escreveu|a scris|menulis|(?:đã )?viết`,
    String.raw`pisze|napisał(?:a|\(a\))?|napsal(?:a|\(a\))?|napísal(?:a|\(a\))?|írta|yazdı`,
    String.raw`пишет|пише|написа(?:л(?:а|\(а\))?)?|έγραψε|כתב(?:ה|/ה)?|ने लिखा|เขียนว่า`,
    "写道|寫道|書きました|님이 작성|쓴 글|نوشت",
    "ha escrit|va escriure|napisa(?:o|la)(?: je)?|написа(?:о|ла) је|rašė|rakstīja|kirjutas",
    // The name or the time follows.
    "(?:schrieb|schreef|skrev|kirjoitti|كتب)(?: .{1,120})?",
  ].join("|")})\\s?[:：]$`,
  "iu",
);

/**
 * Returns true for a line such as `On Tue, 24 Nov 2026 at 9:30, Ada <ada@a.example> wrote:`, in any language. Words such as `wrote`
 * are needed without angle brackets: a person also writes `Send it to ada@a.example before 9:30:`.
 */
export function isAttribution(line: string): boolean {
  const text = line.trim();
  if (text.length > MAX_MARK_LENGTH || !(COLON.test(text) || DASHED.test(text))) return false;
  const rest = text.includes("@") ? text.replace(ADDRESS, "") : text;
  const hasAddress = rest !== text;
  if (hasAddress && DATE.test(rest) && /<\s?>/.test(rest)) return true;
  return WROTE.test(text) && (hasAddress ? /\d/.test(rest) : YEAR.test(rest) && TIME.test(rest));
}

/** Returns true for a line that is an attribution if the quoted text is below it, such as `On Tuesday 24, Ada wrote:`. */
export function isAttributionAboveQuote(line: string): boolean {
  const text = line.trim();
  if (isAttribution(text)) return true;
  if (text.length > MAX_MARK_LENGTH) return false;
  if (text.endsWith(">")) return WITHOUT_WORDS.test(text);
  if (!COLON.test(text)) return false;
  const hasAddress = text.includes("@") && ADDRESS.test(text);
  return WROTE.test(text) ? hasAddress || DATE.test(text) : hasAddress && YEAR.test(text) && TIME.test(text);
}

/** Returns true if the header fields of the message replied to begin here, as in Outlook, in any language. */
function isHeaderBlock(lines: readonly string[], index: number, subject: string): boolean {
  let at = index;
  let isRuled = false;
  const first = lines[at]?.trim() ?? "";
  if (RULE.test(first) || TITLED_RULE.test(first)) {
    isRuled = true;
    at += 1;
    if ((lines[at]?.trim() ?? "") === "") at += 1;
  } else if (!FIELD.test(first.slice(0, MAX_MARK_LENGTH))) return false;
  const fields: string[] = [];
  let continuations = 0;
  for (; fields.length < MAX_FIELDS; at++) {
    const line = (lines[at] ?? "").trim();
    const beginning = line.slice(0, MAX_MARK_LENGTH);
    if (FIELD.test(beginning)) fields.push(beginning);
    // Lists of recipients continue on further lines.
    else if (fields.length === 0 || !ADDRESS.test(beginning) || ++continuations > MAX_CONTINUATIONS) break;
  }
  return isQuotedHeader(fields, subject, isRuled);
}

/**
 * Returns true if fields are those of an earlier message: one is the subject, and others have an address or a date.
 * @param isRuled whether a rule is above them; the subject may then differ
 */
export function isQuotedHeader(fields: readonly string[], subject: string, isRuled: boolean): boolean {
  if (fields.length < (isRuled ? 2 : 3)) return false;
  const plainSubject = removePrefixes(subject);
  const value = (field: string) => field.replace(/^[^:：]*[:：][*_\s]*/u, "").trim();
  const hasSubject = fields.some(
    (field) => plainSubject !== "" && isSubject(removePrefixes(value(field)), plainSubject),
  );
  const dated = fields.findIndex((field) => YEAR.test(value(field).replace(ADDRESS, "")));
  const addressed = fields.some((field, at) => at !== dated && ADDRESS.test(field));
  if (hasSubject) return isRuled || (addressed && dated >= 0);
  return isRuled && addressed && dated >= 0;
}

/** Returns true if a field's value is the subject, or its beginning: long lines are wrapped. */
function isSubject(value: string, subject: string): boolean {
  return value === subject || (value.length >= MIN_SUBJECT_BEGINNING && subject.startsWith(value));
}

/** Removes prefixes such as `Re:`, `Odp:` and `[EXTERNAL]` in any language. */
function removePrefixes(subject: string): string {
  return subject
    .trim()
    .toLowerCase()
    .replace(/\s+/g, " ")
    .replace(/^(?:(?:[\p{L}\p{M}]{1,8}(?:\[\d+\])?\s?[:：]|\[[^\]]{1,30}\])\s*)+(?=\S)/u, "");
}

/** A signature begins with `-- ` (RFC 3676, section 4.3), near the end or above quoted text, or is one line of a phone. */
function splitSignature(
  lines: readonly string[],
  isQuoted: readonly boolean[],
): { body: readonly string[]; signature: string | null } {
  const mark = lines.findLastIndex((line, index) => line === "-- " && !isQuoted[index]);
  const quote = isQuoted.indexOf(true, mark);
  const end = mark < 0 ? -1 : quote < 0 ? lines.length : quote;
  const below = lines.slice(mark + 1, Math.max(mark + 1, end)).filter((line) => line.trim() !== "");
  const isNew = (_line: string, index: number) => !isQuoted[index];
  if (below.length > 0 && below.length <= MAX_SIGNATURE_LINES) {
    const body = lines.filter((line, index) => isNew(line, index) && (index < mark || index >= end));
    return { body, signature: below.join("\n").trim() };
  }
  const body = lines.filter(isNew);
  const last = body.findLastIndex((line) => line.trim() !== "");
  const text = body[last]?.trim() ?? "";
  const isAlone = (body[last - 1]?.trim() ?? "") === "";
  if (last > 0 && isAlone && isDeviceSignature(text)) return { body: body.slice(0, last), signature: text };
  return { body, signature: null };
}
