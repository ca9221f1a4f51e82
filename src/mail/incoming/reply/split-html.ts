/** Finds quoted text and signatures by the structure that mail clients give to the HTML of replies. */
import { selectAll } from "css-select";
import type { ChildNode, Document, Element, Text } from "domhandler";
import { isTag, isText } from "domhandler";
import { isAttributionAboveQuote, isQuotedHeader, type ReplyContext } from "./split-text.ts";

export interface QuotedNodes {
  readonly quoted: ReadonlySet<ChildNode>;
  readonly signatures: ReadonlySet<ChildNode>;
  /** Whether it has a `blockquote` that is new content, such as a citation. */
  readonly hasCitation: boolean;
}

/** Elements that contain only quoted text in replies: of Gmail, Apple Mail, Thunderbird, Yahoo, Zoho, Proton, Outlook and others. */
const QUOTES = [
  "blockquote.gmail_quote",
  "blockquote[type=cite]",
  ".moz-cite-prefix",
  ".yahoo_quoted",
  "[id^=yahoo_quoted]",
  ".protonmail_quote",
  "blockquote#blockquote_zmail",
  ".zmail_extra",
  "[name=quote]",
  "#OLK_SRC_BODY_SECTION",
  "#mail-editor-reference-message-container",
  "#ms-outlook-mobile-reference-message",
  "blockquote.tutanota_quote",
  "blockquote.clean_bq",
  "blockquote.front-blockquote",
].join(",");
const SIGNATURES = [
  ".gmail_signature",
  ".moz-signature",
  ".protonmail_signature_block",
  "#Signature",
  "#ms-outlook-mobile-signature",
  "#AppleMailSignature",
  ".zmail_signature",
].join(",");
/** Outlook: the header of the message replied to, which follows it up to the end. */
const HEADERS = "#divRplyFwdMsg, #x_divRplyFwdMsg, div[style*=border-top]";

/** Nodes of an attribution, and lines of a quote in which it can be. */
const MAX_NODES = 40;
const MAX_LINES = 4;
const INLINE = /^(?:a|abbr|b|bdi|bdo|cite|em|font|i|span|strong|time|tt|u|wbr)$/;

/**
 * Returns the outermost quoted nodes and signatures of a reply. In a message that is no reply, text counts as quoted below an
 * attribution only: other marked text is a forward or a citation, which are new content.
 */
export function findQuotedNodes(document: Document, { isReply, subject }: ReplyContext): QuotedNodes {
  const quoted = new Set<ChildNode>();
  let hasCitation = false;
  const marked = new Set(select(QUOTES, document));
  for (const element of select(`${QUOTES},blockquote`, document)) {
    if (isWithin(element, quoted)) continue;
    const isMarked = marked.has(element);
    const attribution = isReply || isMarked ? takeAttribution(element) : null;
    if (attribution || (isMarked && (isReply || beginsWithAttribution(element)))) {
      if (attribution) quoted.add(attribution);
      quoted.add(element);
    } else if (element.name === "blockquote") hasCitation = true;
  }
  const whole = isReply ? select("div.gmail_quote:not(:has(blockquote))", document) : [];
  for (const element of whole) if (!isWithin(element, quoted) && beginsWithAttribution(element)) quoted.add(element);
  const header = isReply ? select(HEADERS, document).find((element) => isHeader(element, subject)) : undefined;
  if (header) for (const node of followDocument(header)) quoted.add(node);
  return { quoted, signatures: new Set(select(SIGNATURES, document)), hasCitation };
}

const select = (selector: string, document: Document) => selectAll<ChildNode, Element>(selector, document as never);

function isWithin(element: Element, nodes: ReadonlySet<ChildNode>): boolean {
  for (let node = element.parent; node; node = node.parent) if (nodes.has(node as ChildNode)) return true;
  return false;
}

/** Returns the attribution, the line above a quote, or null. Of a line of several nodes, the first gets the whole text. */
function takeAttribution(quote: Element): ChildNode | null {
  const before = findBefore(quote);
  if (!before) return null;
  if (isTag(before) && before.attribs["class"]?.includes("gmail_attr")) return before;
  let line = "";
  const texts: Text[] = [];
  for (const leaf of leavesBackwards(before)) {
    if (isTag(leaf)) {
      if (line.trim() === "") continue;
      break;
    }
    texts.unshift(leaf);
    line = leaf.data + line;
  }
  const [first, ...others] = texts;
  if (!first || !isAttributionAboveQuote(line.replace(/\s+/g, " "))) return null;
  first.data = line.trim();
  for (const other of others) removeText(other);
  return first;
}

/** Removes a text node with the inline elements that would remain empty: the text form of an empty link is its address. */
function removeText(text: Text): void {
  text.data = "";
  let node: ChildNode = text;
  for (let parent = node.parent; parent && isTag(parent) && INLINE.test(parent.name); parent = node.parent) {
    if (readText(parent) !== "") break;
    node = parent;
  }
  removeNode(node);
}

export function removeNode(node: ChildNode): void {
  if (!node.parent) return;
  node.parent.children = node.parent.children.filter((child) => child !== node);
}

/** Yields text nodes, line breaks and the ends of blocks at and before a node in its block, in reverse order. */
function* leavesBackwards(last: ChildNode): Generator<Text | Element> {
  let count = 0;
  for (let node: ChildNode | null = last; node && count < MAX_NODES; node = node.prev) {
    for (const leaf of leavesOf(node)) {
      count += 1;
      yield leaf;
    }
  }
}

function* leavesOf(node: ChildNode): Generator<Text | Element> {
  if (isText(node)) yield node;
  if (!isTag(node)) return;
  if (!INLINE.test(node.name)) yield node;
  for (const child of node.children.toReversed()) yield* leavesOf(child);
}

/** Returns true if a quote contains its attribution, as in Apple Mail. */
function beginsWithAttribution(element: Element): boolean {
  return readLines(element)
    .slice(0, MAX_LINES)
    .some((line) => isAttributionAboveQuote(line));
}

function isHeader(element: Element, subject: string): boolean {
  const fields = readLines(element).filter((line) => /[:：]/u.test(line));
  return isQuotedHeader(fields.slice(0, 8), subject, true);
}

/** Returns the node before an element, also before its parents that begin with it; null for white space only. */
function findBefore(element: Element): ChildNode | null {
  let node: ChildNode = element;
  for (let level = 0; level < 3; level++) {
    let before = node.prev;
    while (before && readText(before) === "" && !(isTag(before) && before.name === "hr")) before = before.prev;
    if (before) return before;
    if (!node.parent || !isTag(node.parent as ChildNode)) return null;
    node = node.parent as ChildNode;
  }
  return null;
}

/** Returns the element, the rule above it, and all nodes after it in the document. */
function followDocument(element: Element): ChildNode[] {
  const before = findBefore(element);
  const found: ChildNode[] = before && isTag(before) && before.name === "hr" ? [before, element] : [element];
  for (let node: ChildNode | null = element; node && isTag(node); node = node.parent as ChildNode | null) {
    for (let after = node.next; after; after = after.next) found.push(after);
  }
  return found;
}

/** Returns the text below a node, with line breaks at blocks. */
export function readText(node: ChildNode): string {
  const parts: string[] = [];
  const open: ChildNode[] = [node];
  for (let next = open.pop(); next && parts.length < 2_000; next = open.pop()) {
    if (isText(next)) parts.push(next.data);
    if (!isTag(next)) continue;
    if (/^(?:br|div|p|tr)$/.test(next.name)) parts.push("\n");
    for (const child of next.children.toReversed()) open.push(child);
  }
  return parts.join("").trim();
}

function readLines(node: ChildNode): string[] {
  return readText(node)
    .split("\n")
    .map((line) => line.replace(/\s+/g, " ").trim())
    .filter((line) => line !== "");
}
