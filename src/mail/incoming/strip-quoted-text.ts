/**
 * Removes quoted text and the signature from a reply. Each line is examined a fixed number of times, so the time is linear.
 * Expressions over the whole text, as in libraries for this, can backtrack for hours on hostile input.
 */

/** A longer line is prose, neither an attribution nor a signature. In UTF-16 code units. */
const MAX_MARK_LENGTH = 300;
/** Mail clients wrap an attribution over at most this many lines. */
const ATTRIBUTION_LINES = 4;
/** The header of a quoted message has its other fields within this many lines below From. */
const HEAD_LINES = 6;

/** Start and end of `On Mon, 1 Jan 2026, Ada wrote:` in the languages of the larger mail clients. */
const ATTRIBUTION_START =
  /^(?:on|le|el|il|em|am|op|den|pe|dnia|w dniu|ср|в|на|在|vào|tarihinde|2\d{3}[-/.年]|\d{1,2}[./:]\d{1,2}|<?[^\s@<>]{1,64}@)/iu;
const ATTRIBUTION_END =
  /(?:wrote|writes|a écrit|escribió|ha scritto|scritto|escreveu|schrieb(?: .{1,120})?|schreef(?: .{1,120})?|skrev(?: .{1,120})?|kirjoitti|pisze|napisał(?:\(a\))?|пишет|написал(?:а|\(а\))?|yazdı|viết|写道|寫道|작성|のメッセージ)\s?[:：]$/iu;
const NAME_WROTE = /^.{1,120}<[^\s<>]{3,120}>.{0,60}(?:wrote|schrieb|a écrit|写道|寫道|작성)\s?[:：]$/iu;

/** A separator line with text, above a complete earlier message. */
const RULE =
  /^[-_*]{2,}\s?(?:original message|forwarded message|original appointment|ursprüngliche nachricht|weitergeleitete nachricht|message d'origine|message transféré|mensaje original|mensagem original|messaggio originale|oorspronkelijk bericht|oprindelig meddelelse|ursprungligt meddelande|原始邮件|元のメッセージ)\s?[-_*]{2,}$/iu;
const FORWARD = /^(?:begin forwarded message|anfang der weitergeleiteten nachricht|début du message transféré)\s?:$/iu;

const HEAD_FROM = /^\*?(?:from|von|de|da|van|från|fra|od|от|发件人|差出人)\*?\s?[:：]\*?\s?\S/iu;
const HEAD_OTHER =
  /^\*?(?:sent|date|to|subject|gesendet|datum|an|betreff|envoyé|à|objet|enviado|fecha|para|asunto|assunto|inviato|a|oggetto|verzonden|aan|onderwerp|skickat|till|ämne|til|emne|发送时间|收件人|主题|送信日時|宛先|件名)\*?\s?[:：]/iu;

const SIGNATURE = /^--\s?$/;
const SENT_FROM =
  /^(?:sent from (?:my |mail|outlook|yahoo|proton|gmail)|get outlook for |von meinem .{1,40} gesendet|gesendet (?:von|mit) |envoyé (?:de|depuis) |enviado (?:desde|do|de) |inviato da |verzonden vanaf |verstuurd vanaf )/i;

/**
 * Returns the new content of a reply; the whole text when nothing is quoted or everything is.
 *
 * @param text with line feeds as the only line breaks
 */
export function stripQuotedText(text: string): string {
  const lines = text.split("\n");
  const newLines: string[] = [];
  for (let index = 0; index < lines.length; ) {
    const line = (lines[index] ?? "").trim();
    if (line.startsWith(">")) {
      index += 1;
      continue;
    }
    const attributionLines = countAttributionLines(lines, index);
    if (attributionLines > 0) {
      // Quotes with `>` can have replies between and below them. Without `>`, everything below is quoted.
      if (!isQuoted(lines, index + attributionLines)) break;
      index += attributionLines;
      continue;
    }
    if (isEarlierMessage(lines, index)) break;
    if (SIGNATURE.test(lines[index] ?? "")) {
      index = findNextQuote(lines, index);
      continue;
    }
    if (line.length > MAX_MARK_LENGTH || !SENT_FROM.test(line)) newLines.push(lines[index] ?? "");
    index += 1;
  }
  const found = newLines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
  // A message with only a forward or quotes has no new content; the whole text is returned.
  return found === "" ? text.trim() : found;
}

/** Returns the number of lines from `index` that form an attribution; 0 for none. */
function countAttributionLines(lines: readonly string[], index: number): number {
  const first = lines[index]?.trim() ?? "";
  if (first === "" || first.length > MAX_MARK_LENGTH || !(ATTRIBUTION_START.test(first) || first.includes("<")))
    return 0;
  let joined = "";
  for (let count = 1; count <= ATTRIBUTION_LINES; count++) {
    const line = lines[index + count - 1]?.trim() ?? "";
    joined = joined === "" ? line : `${joined} ${line}`;
    if (line === "" || joined.length > MAX_MARK_LENGTH) return 0;
    // An attribution ends with a colon. Checked first, so the expressions below run on few lines.
    if (!/[:：]$/.test(line)) continue;
    const isOne = (ATTRIBUTION_START.test(first) && ATTRIBUTION_END.test(joined)) || NAME_WROTE.test(joined);
    return isOne ? count : 0;
  }
  return 0;
}

/** Returns true if the next non-empty line starts with `>`. */
function isQuoted(lines: readonly string[], from: number): boolean {
  for (let index = from; index < Math.min(lines.length, from + HEAD_LINES); index++) {
    const line = lines[index]?.trim() ?? "";
    if (line !== "") return line.startsWith(">");
  }
  return false;
}

/** Returns true if a complete earlier message begins here, as in Outlook replies and in forwards. */
function isEarlierMessage(lines: readonly string[], index: number): boolean {
  const line = lines[index]?.trim() ?? "";
  if (line === "" || line.length > MAX_MARK_LENGTH) return false;
  if (RULE.test(line) || FORWARD.test(line)) return true;
  const isRule = /^[_-]{10,}$/.test(line);
  const head = isRule ? index + 1 : index;
  const from = lines[head]?.trim() ?? "";
  if (from.length > MAX_MARK_LENGTH || !HEAD_FROM.test(from)) return false;
  let others = 0;
  for (let at = head + 1; at <= head + HEAD_LINES; at++) {
    const field = lines[at]?.trim() ?? "";
    if (field.length <= MAX_MARK_LENGTH && HEAD_OTHER.test(field)) others += 1;
  }
  return others >= 2;
}

/** Returns the index of the next quoted line, where a signature ends; the number of lines when there is none. */
function findNextQuote(lines: readonly string[], from: number): number {
  let index = from;
  while (index < lines.length && !lines[index]?.startsWith(">")) index += 1;
  return index;
}
