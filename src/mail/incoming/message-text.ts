/** The text of a message as a person reads it, apart from what a person does not see. */
import type { ChildNode, Document } from "domhandler";
import { isTag, isText } from "domhandler";
import { compile, type HtmlToTextOptions } from "html-to-text";
import { cleanText } from "./clean-text.ts";
import { compareParts } from "./compare-parts.ts";
import type { MailWarningCode } from "./incoming-message.ts";
import { separateInvisibleCharacters } from "./invisible-characters.ts";
import { findQuotedNodes, removeNodes } from "./reply/split-html.ts";
import { type ReplyContext, type SplitReply, splitReplyText } from "./reply/split-text.ts";
import { sanitiseHtml } from "./sanitise-html.ts";
import { separateHiddenText, serializeHtml } from "./visibility/visible-html.ts";

/** Longer text is truncated, and the original message is attached. Longer HTML is omitted. In UTF-16 code units. */
export const MAX_TEXT_LENGTH = 1_000_000;
const MAX_HIDDEN_LENGTH = 100_000;
/** Large images within the HTML. They are dropped when the HTML would be too long with them. */
const DATA_IMAGE = /data:image\/[\w+.-]{1,20};base64,[\w+/=\s]{1000,}/gi;

export interface MessageContent {
  readonly bodyText: string;
  /** The new content of a reply. */
  readonly extractedText: string;
  /** Null when nothing is quoted. */
  readonly quotedText: string | null;
  readonly signature: string | null;
  /** Sanitised, without hidden text. */
  readonly bodyHtml: string | null;
  /** What the message contains but does not show; null when there is nothing. */
  readonly hiddenText: string | null;
  readonly warnings: readonly MailWarningCode[];
  readonly isTruncated: boolean;
}

/** Reads the text and HTML parts of a message. HTML is preferred: its visible text is what a person reads. */
export function readContent(plainText: string, html: string, context: ReplyContext = FIRST): MessageContent {
  const warnings = new Set<MailWarningCode>();
  const hidden: string[] = [];
  const report = (code: MailWarningCode, text: string) => {
    warnings.add(code);
    if (text.trim() !== "") hidden.push(text.trim());
  };
  const plain = showCharacters(cleanText(plainText, MAX_TEXT_LENGTH), report);
  const checked = html.length > MAX_TEXT_LENGTH ? html.replace(DATA_IMAGE, "") : html;
  const isTooLong = checked.length > MAX_TEXT_LENGTH;
  // Without the HTML it is unknown which text a person reads.
  if (isTooLong) report("html_not_checked", plain);
  const shown = isTooLong || html.trim() === "" ? null : readHtml(checked, context, report);
  const isPlainOnly = html.trim() === "" || (shown?.isEmpty === true && plain.trim() !== "");
  let bodyText = isTooLong ? "" : plain;
  if (shown && !isPlainOnly) {
    const { isSame, difference } = compareParts(plain, shown.text, shown.alternatives);
    if (!isSame) bodyText = shown.text;
    if (difference !== "") report("plain_text_differs", difference);
  }
  const split =
    shown?.reply && !isPlainOnly ? shown.reply : splitReplyText(cleanText(bodyText, MAX_TEXT_LENGTH), context);
  return {
    bodyText: cleanText(bodyText, MAX_TEXT_LENGTH),
    extractedText: split.newText,
    quotedText: split.quotedText,
    signature: split.signature,
    bodyHtml: shown?.html ? cleanText(shown.html, MAX_TEXT_LENGTH * 2) : null,
    hiddenText: hidden.length === 0 ? null : cleanText(hidden.join("\n"), MAX_HIDDEN_LENGTH),
    warnings: [...warnings],
    isTruncated: plainText.length > MAX_TEXT_LENGTH || html.length > MAX_TEXT_LENGTH,
  };
}

const WORDS = /[\p{L}\p{N}]/u;

type Report = (code: MailWarningCode, text: string) => void;

/** A message that is no reply. */
const FIRST: ReplyContext = { isReply: false, subject: "" };

function readHtml(html: string, context: ReplyContext, report: Report) {
  const { document, hiddenText, isCovered, unsupported } = separateHiddenText(html);
  if (hiddenText !== "") report("hidden_text", separateInvisibleCharacters(hiddenText).text);
  const alternatives = showDocument(document, report);
  const clean = sanitiseHtml(serializeHtml(document));
  const text = htmlToText(clean);
  const reply = splitReplyHtml(document, context);
  const hasWords = WORDS.test(text);
  if (isCovered && hasWords) report("covered_text", "");
  const isUnsupported = unsupported.texts.length > 0 || unsupported.isOpaque;
  // Scripts and media beside text are common; without text, they are all that a person sees.
  if (unsupported.texts.length > 0 || (isUnsupported && !hasWords))
    report("unsupported_content", separateInvisibleCharacters(unsupported.texts.join("\n")).text);
  const isEmpty = clean === null && hiddenText === "" && !isUnsupported;
  return { html: clean, text, reply, alternatives, isEmpty };
}

/** Removes quoted text from the document. Null when its structure marks none, or marks all of it. */
function splitReplyHtml(document: Document, context: ReplyContext): SplitReply | null {
  const { removed, quotedTexts, signatures, hasCitation } = findQuotedNodes(document, context);
  if (removed.size === 0 && !hasCitation) return null;
  removeNodes(removed);
  const remaining = htmlToText(sanitiseHtml(serializeHtml(document)), toUnmarkedText);
  const rest = splitReplyText(cleanText(remaining, MAX_TEXT_LENGTH), context);
  if (rest.newText === "") return null;
  const join = (parts: readonly string[], more: string | null) =>
    cleanText([...parts, ...(more === null ? [] : [more])].join("\n"), MAX_TEXT_LENGTH) || null;
  return {
    newText: rest.newText,
    quotedText: join(quotedTexts, rest.quotedText),
    signature: join(signatures, rest.signature),
  };
}

/** Removes invisible characters from a document. Returns the alternative texts of its images. */
function showDocument(document: Document, report: Report): string[] {
  const alternatives: string[] = [];
  const open: ChildNode[] = document.children.toReversed();
  for (let node = open.pop(); node; node = open.pop()) {
    if (isText(node)) node.data = showCharacters(node.data, report);
    if (!isTag(node)) continue;
    if (node.name === "img" && node.attribs["alt"]) alternatives.push(node.attribs["alt"]);
    for (const child of node.children.toReversed()) open.push(child);
  }
  return alternatives;
}

function showCharacters(given: string, report: Report): string {
  const { text, hiddenText, isSuspicious } = separateInvisibleCharacters(given);
  if (isSuspicious) report("invisible_characters", hiddenText);
  return text;
}

const TEXT_OPTIONS: HtmlToTextOptions = {
  wordwrap: false,
  selectors: [
    { selector: "img", format: "skip" },
    { selector: "a", options: { hideLinkHrefIfSameAsText: true } },
    ...["h1", "h2", "h3", "h4", "h5", "h6"].map((selector) => ({ selector, options: { uppercase: false } })),
    // Otherwise the texts of neighbouring cells would be one word.
    ...["td", "th"].map((selector) => ({ selector, format: "cell" })),
  ],
  formatters: {
    cell(element, walk, builder) {
      walk(element.children, builder);
      builder.addInline(" ");
    },
  },
  limits: { maxInputLength: MAX_TEXT_LENGTH * 2, maxDepth: 420, ellipsis: "…" },
};
/** Compiled once: compiling is slower than converting a usual message. */
const toText = compile(TEXT_OPTIONS);
/** Without `>` at citations: they are new content. */
const toUnmarkedText = compile({
  ...TEXT_OPTIONS,
  selectors: [...(TEXT_OPTIONS.selectors ?? []), { selector: "blockquote", format: "block" }],
});

function htmlToText(html: string | null, convert = toText): string {
  return html === null ? "" : convert(html).replace(/[ \t]+$/gm, "");
}
