/** What HTML shows to a person beside its text: scripts, frames, media, form fields and generated content. */
import { ident, parse, string, tokenize, tokenTypes, walk } from "css-tree";
import type { ChildNode, Document, Element } from "domhandler";
import { isTag, isText } from "domhandler";
import { readStyleSheet } from "./style-sheets.ts";

export interface UnsupportedContent {
  /** Texts that a reader's client may show. */
  readonly texts: readonly string[];
  /** Whether there is content of which the text is unknown. */
  readonly isOpaque: boolean;
}

const EMBEDDING = new Set(["iframe", "frame", "object", "embed", "applet", "video", "audio"]);
const SCRIPT = /^(?:|module|(?:text|application)\/(?:x-)?(?:java|ecma|live|j)script.*)$/i;
/** Inputs that show no value. */
const NO_VALUE = /^(?:hidden|checkbox|radio|range|color|file|password)$/i;
const WORDS = /[\p{L}\p{N}]/u;
const MAX_TEXTS = 1_000;

/** Finds such content in a document. */
export function findUnsupportedContent(document: Document): UnsupportedContent {
  const texts: string[] = [];
  let isOpaque = false;
  const add = (text: string | undefined) => {
    if (text !== undefined && WORDS.test(text) && texts.length < MAX_TEXTS)
      texts.push(text.replace(/\s+/g, " ").trim());
  };
  const open: ChildNode[] = document.children.toReversed();
  for (let node = open.pop(); node; node = open.pop()) {
    if (!isTag(node)) continue;
    const { name, attribs } = node;
    const sheet = readStyleSheet(node);
    if (sheet !== null) {
      for (const text of readGeneratedContent(sheet.css)) {
        add(text ?? undefined);
        isOpaque ||= text === null;
      }
    }
    if (name === "script" && SCRIPT.test(attribs["type"]?.trim() ?? ""))
      isOpaque ||= attribs["src"] !== undefined || getOwnText(node).trim() !== "";
    if (name === "iframe") add(attribs["srcdoc"]?.replace(/<[^>]*>/g, " "));
    if (EMBEDDING.has(name)) isOpaque = true;
    if (name === "input" && !NO_VALUE.test(attribs["type"]?.trim() ?? ""))
      add(attribs["value"] ?? attribs["placeholder"]);
    if (name === "textarea") add(attribs["placeholder"]);
    for (const child of node.children.toReversed()) open.push(child);
  }
  return { texts, isOpaque };
}

const getOwnText = ({ children }: Element) => children.map((child) => (isText(child) ? child.data : "")).join("");

/** Properties whose strings are displayed. */
const GENERATING = new Set(["content", "list-style", "list-style-type", "quotes", "text-overflow"]);

/** Returns the strings that a style sheet generates; null for the value of an attribute. */
function readGeneratedContent(css: string): (string | null)[] {
  const found: (string | null)[] = [];
  // Without any of these, no string is displayed. An escape can hide the name of the property.
  if (!/content|list-style|quotes|text-overflow|\\/i.test(css)) return found;
  walk(parse(css, { parseValue: false, parseRulePrelude: false, parseAtrulePrelude: false }), (node) => {
    if (node.type !== "Declaration" || node.value.type !== "Raw") return;
    if (!GENERATING.has(ident.decode(node.property).toLowerCase())) return;
    const { value } = node.value;
    tokenize(value, (type, start, end) => {
      if (type === tokenTypes.String) found.push(string.decode(value.slice(start, end)));
    });
    if (/\battr\(/i.test(value)) found.push(null);
  });
  return found;
}
