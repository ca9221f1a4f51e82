/**
 * What is new in a reply: without what it quotes and without the signature. Looks at every line a fixed number of times, so
 * that no text takes long; expressions over whole texts, as libraries for this use, can be made to run for hours.
 */

/** A line longer than this is prose: neither an attribution nor a signature. */
const MAX_MARK_LENGTH = 300;
/** Attributions are wrapped by mail programs: over so many lines at most. */
const ATTRIBUTION_LINES = 4;
/** Fields of a quoted message's head that stand within so many lines below the first. */
const HEAD_LINES = 6;

/** `On Mon, 1 Jan 2026, Ada wrote:` in the languages of the larger mail programs: how it begins, and how it ends. */
const ATTRIBUTION_START =
  /^(?:on|le|el|il|em|am|op|den|pe|dnia|w dniu|ср|в|на|在|vào|tarihinde|2\d{3}[-/.年]|\d{1,2}[./:]\d{1,2}|<?[^\s@<>]{1,64}@)/iu;
const ATTRIBUTION_END =
  /(?:wrote|writes|a écrit|escribió|ha scritto|scritto|escreveu|schrieb(?: .{1,120})?|schreef(?: .{1,120})?|skrev(?: .{1,120})?|kirjoitti|pisze|napisał(?:\(a\))?|пишет|написал(?:а|\(а\))?|yazdı|viết|写道|寫道|작성|のメッセージ)\s?[:：]$/iu;
const NAME_WROTE = /^.{1,120}<[^\s<>]{3,120}>.{0,60}(?:wrote|schrieb|a écrit|写道|寫道|작성)\s?[:：]$/iu;

/** A rule with words in it, above the whole earlier message. */
const RULE =
  /^[-_*]{2,}\s?(?:original message|forwarded message|original appointment|ursprüngliche nachricht|weitergeleitete nachricht|message d'origine|message transféré|mensaje original|mensagem original|messaggio originale|oorspronkelijk bericht|oprindelig meddelelse|ursprungligt meddelande|原始邮件|元のメッセージ)\s?[-_*]{2,}$/iu;
const FORWARD = /^(?:begin forwarded message|anfang der weitergeleiteten nachricht|début du message transféré)\s?:$/iu;

const HEAD_FROM = /^\*?(?:from|von|de|da|van|från|fra|od|от|发件人|差出人)\*?\s?[:：]\*?\s?\S/iu;
const HEAD_OTHER =
  /^\*?(?:sent|date|to|subject|gesendet|datum|an|betreff|envoyé|à|objet|enviado|fecha|para|asunto|assunto|inviato|a|oggetto|verzonden|aan|onderwerp|skickat|till|ämne|til|emne|发送时间|收件人|主题|送信日時|宛先|件名)\*?\s?[:：]/iu;

const SIGNATURE = /^--\s?$/;
const SENT_FROM =
  /^(?:sent from (?:my |mail|outlook|yahoo|proton|gmail)|get outlook for |von meinem .{1,40} gesendet|gesendet (?:von|mit) |envoyé (?:de|depuis) |enviado (?:desde|do|de) |inviato da |verzonden vanaf |verstuurd vanaf )/i;

/** @param text with line feeds alone; whole, when nothing in it is new or all of it is */
export function stripQuotedText(text: string): string {
  const lines = text.split("\n");
  const kept: string[] = [];
  for (let index = 0; index < lines.length; ) {
    const line = (lines[index] ?? "").trim();
    if (line.startsWith(">")) {
      index += 1;
      continue;
    }
    const attributed = attributionLength(lines, index);
    if (attributed > 0) {
      // Quoted with marks: answers may stand between and below. Without marks, all below is quoted.
      if (!isQuoted(lines, index + attributed)) break;
      index += attributed;
      continue;
    }
    if (isEarlierMessage(lines, index)) break;
    if (SIGNATURE.test(lines[index] ?? "")) {
      index = nextQuote(lines, index);
      continue;
    }
    if (line.length > MAX_MARK_LENGTH || !SENT_FROM.test(line)) kept.push(lines[index] ?? "");
    index += 1;
  }
  const found = kept
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
  // A message that is nothing but a forward, or nothing but quotes, says what it quotes.
  return found === "" ? text.trim() : found;
}

/** How many lines from `index` on are an attribution; 0 for none. */
function attributionLength(lines: readonly string[], index: number): number {
  const first = lines[index]?.trim() ?? "";
  if (first === "" || first.length > MAX_MARK_LENGTH || !(ATTRIBUTION_START.test(first) || first.includes("<")))
    return 0;
  let joined = "";
  for (let count = 1; count <= ATTRIBUTION_LINES; count++) {
    const line = lines[index + count - 1]?.trim() ?? "";
    joined = joined === "" ? line : `${joined} ${line}`;
    if (line === "" || joined.length > MAX_MARK_LENGTH) return 0;
    // It is told by how its last line ends: the expressions below see short lines only.
    if (!/[:：]$/.test(line)) continue;
    const isOne = (ATTRIBUTION_START.test(first) && ATTRIBUTION_END.test(joined)) || NAME_WROTE.test(joined);
    return isOne ? count : 0;
  }
  return 0;
}

/** Whether the next line that is not empty is quoted with a mark. */
function isQuoted(lines: readonly string[], from: number): boolean {
  for (let index = from; index < Math.min(lines.length, from + HEAD_LINES); index++) {
    const line = lines[index]?.trim() ?? "";
    if (line !== "") return line.startsWith(">");
  }
  return false;
}

/** Whether a whole earlier message begins here, as Outlook and forwards put it. */
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

/** Signatures reach to the next quote, or to the end. */
function nextQuote(lines: readonly string[], from: number): number {
  let index = from;
  while (index < lines.length && !lines[index]?.startsWith(">")) index += 1;
  return index;
}
