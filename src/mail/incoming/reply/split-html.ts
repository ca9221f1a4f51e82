/**
 * Finds quoted text and signatures by the structure that mail clients give to the HTML of replies. Each node is visited a fixed
 * number of times, so the time is linear.
 */
import { compile } from "css-select";
import type { ChildNode, Document, Element, Text } from "domhandler";
import { isTag, isText } from "domhandler";
import { isAttribution, isAttributionAboveQuote, isQuotedHeader, type ReplyContext } from "./split-text.ts";

export interface QuotedNodes {
  /** Outermost nodes, in document order. */
  readonly removed: ReadonlySet<ChildNode>;
  readonly quotedTexts: readonly string[];
  readonly signatures: readonly string[];
  /** Whether it has a `blockquote` that is new content, such as a citation. */
  readonly hasCitation: boolean;
}

const test = (...selectors: readonly string[]) => compile<ChildNode, Element>(selectors.join(","));

/** Elements that contain only quoted text in replies: of Gmail, Apple Mail, Thunderbird, Yahoo, Zoho, Proton, GMX, Outlook and others. */
const isQuote = test(
  "blockquote.gmail_quote",
  "blockquote[type=cite]",
  ".moz-cite-prefix",
  ".yahoo_quoted",
  "[id^=yahoo_quoted]",
  ".protonmail_quote",
  "blockquote#blockquote_zmail",
  ".zmail_extra",
  "div[name=quote][style*=border-left]",
  "#OLK_SRC_BODY_SECTION",
  "#mail-editor-reference-message-container",
  "#ms-outlook-mobile-reference-message",
  "blockquote.tutanota_quote",
  "blockquote.clean_bq",
  "blockquote.front-blockquote",
);
const isCite = test("blockquote[type=cite]");
const isSignature = test(
  ".gmail_signature",
  ".moz-signature",
  ".protonmail_signature_block",
  "#Signature",
  "#ms-outlook-mobile-signature",
  "#AppleMailSignature",
  ".zmail_signature",
);
/** Outlook: the header of the message replied to, which follows it up to the end. */
const isOutlookHeader = test("#divRplyFwdMsg", "#x_divRplyFwdMsg");
const isBelowRule = test("div[style*=border-top]");
/** Gmail's element around attribution and quote. */
const isGmailQuote = test("div.gmail_quote");
const FIELD_NAME = /^[\p{L}\p{M} ’'-]{2,40}\s?[:：]/u;
const INLINE = /^(?:a|abbr|b|bdi|bdo|cite|em|font|i|span|strong|time|tt|u|wbr)$/;

/** Nodes that an attribution has at most, and those before a quote that are examined. */
const MAX_NODES = 40;
/** Nodes at the beginning of an element that can contain a header or an attribution. */
const MAX_BEGINNING = 200;
/** Lines of a quote that its attribution can be. */
const MAX_LINES = 4;
const MAX_FIELDS = 8;

/**
 * Finds the quoted nodes and signatures of a reply. In other messages, text counts as quoted below an attribution, or if a client
 * cites it without the header of a forward. Other marked text is a forward or a citation, which are new content.
 */
export function findQuotedNodes(document: Document, context: ReplyContext): QuotedNodes {
  const { isReply, subject } = context;
  const removed = new Set<ChildNode>();
  const quotedTexts: string[] = [];
  const signatures: string[] = [];
  let hasCitation = false;
  let hasBlockquotes: boolean | null = null;
  const remove = (nodes: readonly ChildNode[]) => {
    for (const node of nodes) removed.add(node);
  };
  const quote = (nodes: readonly ChildNode[]) => {
    remove(nodes);
    for (const node of nodes) quotedTexts.push(readText(node));
  };

  const open: ChildNode[] = document.children.toReversed();
  for (let node = open.pop(); node; node = open.pop()) {
    if (!isTag(node) || removed.has(node)) continue;
    const isMarked = isQuote(node);
    if (isMarked || (isReply && node.name === "blockquote")) {
      const attribution = findAttribution(node, isReply && isMarked);
      if (attribution) {
        remove(attribution.nodes);
        quotedTexts.push(attribution.text);
      }
      if (attribution || (isMarked && (isReply || beginsWithAttribution(node) || isCitedReply(node)))) {
        quote([node]);
        continue;
      }
    }
    hasCitation ||= node.name === "blockquote";
    if (isSignature(node)) {
      remove([node]);
      signatures.push(readText(node));
      continue;
    }
    if (isReply && isHeader(node, subject)) {
      const following = followDocument(node).filter((one) => !removed.has(one));
      quote(following);
      break;
    }
    if (isReply && isGmailQuote(node) && beginsWithAttribution(node)) {
      hasBlockquotes ??= hasBlockquote(document);
      // Without a blockquote, it has the quoted text itself.
      if (!hasBlockquotes) {
        quote([node]);
        continue;
      }
    }
    for (const child of node.children.toReversed()) open.push(child);
  }
  return { removed, quotedTexts: quotedTexts.filter(Boolean), signatures: signatures.filter(Boolean), hasCitation };
}

/** Removes nodes from their parents. */
export function removeNodes(nodes: ReadonlySet<ChildNode>): void {
  for (const parent of new Set([...nodes].map((node) => node.parent)))
    if (parent) parent.children = parent.children.filter((child) => !nodes.has(child as ChildNode));
}

function isHeader(element: Element, subject: string): boolean {
  const isOutlook = isOutlookHeader(element);
  if (!isOutlook && !isBelowRule(element)) return false;
  const fields = readLines(element).filter((line) => /[:：]/u.test(line));
  // Other elements have a line above them as well, so their fields must have the subject.
  return isQuotedHeader(fields.slice(0, MAX_FIELDS), subject, isOutlook);
}

interface Attribution {
  readonly nodes: readonly ChildNode[];
  readonly text: string;
}

/**
 * Returns the attribution of a quote: the line above it.
 * @param isCertain whether the element is quoted text in any case
 */
function findAttribution(element: Element, isCertain: boolean): Attribution | null {
  const before = findBefore(element);
  if (!before) return null;
  if (isTag(before) && before.attribs["class"]?.includes("gmail_attr"))
    return { nodes: [before], text: readText(before) };
  const leaves = findLastLine(before);
  const text = leaves
    .map(({ data }) => data)
    .join("")
    .replace(/\s+/g, " ")
    .trim();
  return isAttribution(text) || (isCertain && isAttributionAboveQuote(text))
    ? { nodes: withWrappers(leaves), text }
    : null;
}

/** Returns the text nodes of the last line that ends with a node: up to a line break, or the border of a block. */
function findLastLine(last: ChildNode): Text[] {
  const leaves: Text[] = [];
  let count = 0;
  for (let node: ChildNode | null = last; node; node = node.prev) {
    const open: ChildNode[] = [node];
    for (let next = open.pop(); next; next = open.pop()) {
      if (++count > MAX_NODES) return [];
      if (isText(next)) leaves.unshift(next);
      if (!isTag(next)) continue;
      if (!INLINE.test(next.name) && leaves.some(({ data }) => data.trim() !== "")) return leaves;
      // The last child is next.
      open.push(...next.children.slice(-MAX_NODES));
    }
  }
  return leaves;
}

/** Adds the inline elements that would remain empty: the text form of an empty link is its address. */
function withWrappers(leaves: readonly Text[]): ChildNode[] {
  const found = new Set<ChildNode>(leaves);
  for (const leaf of leaves) {
    for (let parent = leaf.parent; parent && isTag(parent) && INLINE.test(parent.name); parent = parent.parent) {
      const { children } = parent;
      if (children.length > MAX_NODES || !children.every((child) => found.has(child as ChildNode))) break;
      found.add(parent);
    }
  }
  return [...found];
}

/** Returns the node before an element, also before its parents that begin with it; null for white space only. */
function findBefore(element: Element): ChildNode | null {
  let node: ChildNode = element;
  for (let level = 0; level < 3; level++) {
    let before = node.prev;
    for (let count = 0; before && isBlank(before); before = before.prev) if (++count > MAX_NODES) return null;
    if (before) return before;
    if (!node.parent || !isTag(node.parent as ChildNode)) return null;
    node = node.parent as ChildNode;
  }
  return null;
}

function isBlank(node: ChildNode): boolean {
  if (isTag(node) && node.name === "hr") return false;
  let count = 0;
  for (const text of textsBelow(node)) if (++count > MAX_NODES || text.trim() !== "") return false;
  return true;
}

function hasBlockquote(document: Document): boolean {
  const open: (ChildNode | Document)[] = [document];
  for (let node = open.pop(); node; node = open.pop()) {
    if (isText(node) || !("children" in node)) continue;
    if (isTag(node) && node.name === "blockquote") return true;
    for (const child of node.children) open.push(child);
  }
  return false;
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

/** Returns true if a quote contains its attribution, as in Apple Mail. */
function beginsWithAttribution(element: Element): boolean {
  return readLines(element)
    .slice(0, MAX_LINES)
    .some((line) => isAttribution(line));
}

/** Returns true for a quote of Apple Mail or Thunderbird that is not a forward. */
function isCitedReply(element: Element): boolean {
  if (!isCite(element)) return false;
  const fields = readLines(element)
    .slice(0, MAX_LINES)
    .filter((line) => FIELD_NAME.test(line));
  return fields.length < 2;
}

/** Returns the first lines below a node. */
function readLines(node: ChildNode): string[] {
  const parts: string[] = [];
  for (const text of textsBelow(node)) if (parts.push(text) >= MAX_BEGINNING) break;
  return parts
    .join("")
    .split("\n")
    .map((line) => line.replace(/\s+/g, " ").trim())
    .filter((line) => line !== "");
}

/** Returns the text below a node, with line breaks at blocks. */
function readText(node: ChildNode): string {
  return [...textsBelow(node)].join("").trim();
}

/** Yields the texts below a node, an empty one for other nodes, and a line break for each block. */
function* textsBelow(root: ChildNode): Generator<string> {
  const open: ChildNode[] = [root];
  for (let node = open.pop(); node; node = open.pop()) {
    if (isText(node)) yield node.data;
    else yield isTag(node) && /^(?:br|div|p|tr)$/.test(node.name) ? "\n" : "";
    if (isTag(node)) for (const child of node.children.toReversed()) open.push(child);
  }
}
