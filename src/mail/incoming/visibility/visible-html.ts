/** Separates the HTML that a reader sees from hidden text, which can carry instructions for an agent. */
import type { ChildNode, Document, Element } from "domhandler";
import { isTag, isText } from "domhandler";
import { parse, serialize } from "parse5";
import { adapter } from "parse5-htmlparser2-tree-adapter";
import { parseStyleAttribute } from "./declarations.ts";
import { findHiddenNodes, getText } from "./hidden-nodes.ts";
import { findUnsupportedContent, type UnsupportedContent } from "./unsupported-content.ts";

export interface VisibleHtml {
  /** The document without hidden text. */
  readonly document: Document;
  /** Hidden text, a line for each block; empty when there is none. */
  readonly hiddenText: string;
  /** Whether an element may be painted over text. */
  readonly isCovered: boolean;
  readonly unsupported: UnsupportedContent;
}

/** Elements whose content never is text of the message. It is not reported either. */
const NOT_CONTENT = new Set(["script", "style", "title", "head"]);
const INLINE = new Set(
  [
    "a abbr b bdi bdo big cite code del dfn em font i ins kbd mark",
    "q s samp small span strike strong sub sup tt u var",
  ].flatMap((names) => names.split(" ")),
);
/** Of rules in style sheets, these are written to the `style` attribute, because the sanitiser drops the sheets. */
const INLINED = ["display", "opacity", "color", "background-color", "font-size"];

/** Parses HTML as a browser does, and removes what is hidden by a static cascade. In doubt, text is hidden. */
export function separateHiddenText(html: string): VisibleHtml {
  const document = parse(html, { treeAdapter: adapter, scriptingEnabled: false }) as Document;
  const unsupported = findUnsupportedContent(document);
  const { hidden, winners, isCovered } = findHiddenNodes(document, document["x-mode"] === "quirks");
  for (const [element, its] of winners) {
    const inline = new Map(parseStyleAttribute(element.attribs["style"] ?? "").map((one) => [one.property, one.value]));
    const added = INLINED.filter((name) => its.has(name) && its.get(name) !== inline.get(name));
    if (added.length === 0) continue;
    const rules = added.map((name) => `${name}: ${its.get(name)}`).join("; ");
    element.attribs["style"] = [element.attribs["style"], rules].filter(Boolean).join("; ");
  }
  const hiddenText = collectHiddenText(document, hidden);
  prune(document, hidden);
  return { document, hiddenText, isCovered, unsupported };
}

/** Serialises a document. */
export function serializeHtml(document: Document): string {
  return serialize(document, { treeAdapter: adapter });
}

function collectHiddenText(document: Document, hidden: ReadonlySet<ChildNode>): string {
  const lines: { block: Element | null; text: string }[] = [];
  const open: { node: ChildNode; block: Element | null }[] = document.children
    .toReversed()
    .map((node) => ({ node, block: null }));
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, block } = next;
    if (isTag(node) && !NOT_CONTENT.has(node.name)) {
      const inner = INLINE.has(node.name) ? block : node;
      for (const child of node.children.toReversed()) open.push({ node: child, block: inner });
    }
    if (!isText(node) || !hidden.has(node)) continue;
    const text = getText(node).replace(/\s+/g, " ");
    const last = lines.at(-1);
    if (last && last.block === block) last.text += text;
    else lines.push({ block, text });
  }
  return lines
    .map(({ text }) => text.trim())
    .filter((text) => text !== "")
    .join("\n");
}

/** Removes hidden nodes, and elements that have no other content. */
function prune(document: Document, hidden: ReadonlySet<ChildNode>): void {
  const elements: Element[] = [];
  /** Elements that lost all of their content. Cells remain: without them, others would move. */
  const emptied = new Set<ChildNode>();
  const open: ChildNode[] = [...document.children];
  for (let node = open.pop(); node; node = open.pop()) {
    if (!isTag(node)) continue;
    elements.push(node);
    for (const child of node.children) open.push(child);
  }
  // Children come after their parents, so in reverse an element's children are already pruned.
  for (const element of elements.toReversed()) {
    const before = element.children.length;
    const remaining = element.children.filter((child) => !hidden.has(child) && !emptied.has(child));
    if (remaining.length === before) continue;
    element.children = remaining;
    relink(remaining);
    const isEmpty = remaining.every((child) => isText(child) && child.data.trim() === "");
    if (isEmpty && element.name !== "td" && element.name !== "th") emptied.add(element);
  }
}

function relink(children: readonly ChildNode[]): void {
  children.forEach((child, at) => {
    child.prev = children[at - 1] ?? null;
    child.next = children[at + 1] ?? null;
  });
}
