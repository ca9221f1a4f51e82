/** Finds quoted text and signatures by the structure that mail clients give to the HTML of replies. */
import { selectAll } from "css-select";
import type { ChildNode, Document, Element } from "domhandler";
import { isTag, isText } from "domhandler";
import { isAttribution, isQuotedHeader, type ReplyContext } from "./split-text.ts";

export interface QuotedNodes {
  readonly quoted: ReadonlySet<ChildNode>;
  readonly signatures: ReadonlySet<ChildNode>;
}

/** Elements that contain only quoted text: Gmail, Apple Mail, Thunderbird, Yahoo, Zoho, Proton, GMX. */
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

/** Returns the outermost quoted nodes and signatures of a reply. */
export function findQuotedNodes(document: Document, { isReply, subject }: ReplyContext): QuotedNodes {
  const quoted = new Set<ChildNode>();
  for (const element of select(QUOTES, document)) {
    if (isWithin(element, quoted)) continue;
    const attribution = findBefore(element);
    if (attribution && isAttributionNode(attribution)) quoted.add(attribution);
    quoted.add(element);
  }
  const header = isReply ? select(HEADERS, document).find((element) => isHeader(element, subject)) : undefined;
  if (header) for (const node of followDocument(header)) quoted.add(node);
  return { quoted, signatures: new Set(select(SIGNATURES, document)) };
}

const select = (selector: string, document: Document) => selectAll<ChildNode, Element>(selector, document as never);

function isWithin(element: Element, nodes: ReadonlySet<ChildNode>): boolean {
  for (let node = element.parent; node; node = node.parent) if (nodes.has(node as ChildNode)) return true;
  return false;
}

function isAttributionNode(node: ChildNode): boolean {
  if (isTag(node) && node.attribs["class"]?.includes("gmail_attr")) return true;
  return isAttribution(readText(node).replace(/\s+/g, " "));
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
