/** Rules of a message's `<style>` elements, indexed by the last compound selector so that few are tested per element. */
import { compile } from "css-select";
import { type Block, type CssNode, generate, parse, type Rule as RuleNode, type SelectorList } from "css-tree";
import type { AnyNode, Element } from "domhandler";
import { type Declaration, expandDeclaration } from "./declarations.ts";
import { type Match, matchMedia, WIDTHS_PX } from "./media-query.ts";

export interface StyleRule {
  readonly matches: (element: Element) => boolean;
  /** Number of ids, of classes, and of types (Selectors Level 4, section 17), as one number. */
  readonly specificity: number;
  readonly order: number;
  readonly declarations: readonly Declaration[];
  /** Whether the rule applies at each of `WIDTHS_PX`; null when it depends on the reader's client. */
  readonly applies: readonly Match[];
}

export interface StyleRules {
  readonly rules: readonly StyleRule[];
  /** Names of the defined animations. */
  readonly animations: ReadonlySet<string>;
  /** Returns the rules whose last compound selector can match the element, in no order. */
  candidates(element: Element): StyleRule[];
}

/** Pseudo-classes that do not match before the reader acts. */
const INACTIVE = ["focus", "focus-within", "focus-visible", "target", "fullscreen", "autofill", "placeholder-shown"];
const PSEUDOS = Object.fromEntries(INACTIVE.map((name) => [name, () => false]));
const ALWAYS: readonly Match[] = WIDTHS_PX.map(() => true);
const MAX_NESTING = 8;

interface Reading {
  readonly isQuirky: boolean;
  readonly index: Map<string, StyleRule[]>;
  readonly rules: StyleRule[];
  readonly animations: Set<string>;
  readonly selectors: Map<string, ReturnType<typeof readSelector>>;
}

/**
 * Parses style sheets. Invalid rules are dropped, as browsers do.
 * @param isQuirky whether class names and ids ignore case (quirks mode)
 */
export function readStyleRules(sheets: readonly string[], isQuirky: boolean): StyleRules {
  const reading: Reading = { isQuirky, index: new Map(), rules: [], animations: new Set(), selectors: new Map() };
  for (const sheet of sheets) readSheet(reading, sheet, ALWAYS, null, 0);
  const { rules, index, animations } = reading;
  return {
    rules,
    animations,
    candidates(element) {
      const classes = element.attribs["class"]?.split(/\s+/) ?? [];
      const keys = [`#${element.attribs["id"]}`, ...classes.map((name) => `.${name}`), element.name, "*"];
      return [...new Set(keys.flatMap((key) => index.get(key.toLowerCase()) ?? []))];
    },
  };
}

function readSheet(
  reading: Reading,
  css: string,
  applies: readonly Match[],
  parent: string | null,
  depth: number,
): void {
  // Comment marks around a sheet are ignored (CSS Syntax Level 3, section 4.3.1).
  const sheet = parse(css.replace(/<!--|-->/g, " "), { parseValue: false, parseCustomProperty: false });
  if (sheet.type === "StyleSheet")
    for (const node of sheet.children.toArray()) readNode(reading, node, applies, parent, depth);
}

function readNode(
  reading: Reading,
  node: CssNode,
  applies: readonly Match[],
  parent: string | null,
  depth: number,
): void {
  if (depth > MAX_NESTING) return;
  if (node.type === "Rule") readRule(reading, node, applies, parent, depth);
  if (node.type !== "Atrule" || node.block === null) return;
  const name = node.name.toLowerCase();
  if (name.endsWith("keyframes")) {
    reading.animations.add(generate(node.prelude ?? node.block).toLowerCase());
    return;
  }
  if (["font-face", "page", "property", "counter-style"].includes(name)) return;
  const nested =
    name === "media"
      ? applies.map((match, at) => both(match, matchMedia(node.prelude, WIDTHS_PX[at] ?? 0)))
      : // Support, layers and containers depend on the client.
        applies.map((match) => both(match, null));
  readBlock(reading, node.block, nested, parent, depth + 1);
}

function readBlock(
  reading: Reading,
  block: Block,
  applies: readonly Match[],
  parent: string | null,
  depth: number,
): void {
  for (const node of block.children.toArray()) {
    if (node.type === "Raw" && node.value.includes("{")) readSheet(reading, node.value, applies, parent, depth + 1);
    else readNode(reading, node, applies, parent, depth);
  }
}

function readRule(
  reading: Reading,
  node: RuleNode,
  applies: readonly Match[],
  parent: string | null,
  depth: number,
): void {
  if (node.prelude.type !== "SelectorList") return;
  const declarations = node.block.children.toArray().flatMap((child) => {
    if (child.type !== "Declaration") return [];
    const text = child.value.type === "Raw" ? child.value.value : generate(child.value);
    return expandDeclaration(child.property, text, child.important !== false);
  });
  const selectors = toSelectors(node.prelude, parent);
  if (declarations.length > 0) for (const selector of selectors) addRule(reading, selector, declarations, applies);
  readBlock(reading, node.block, applies, `:is(${selectors.join(",")})`, depth + 1);
}

/** Returns the selectors as text, with the parent of a nested rule in place. */
function toSelectors(list: SelectorList, parent: string | null): string[] {
  return list.children.toArray().map((selector) => {
    const text = generate(selector);
    if (parent === null) return text.replaceAll("&", ":root");
    return text.includes("&") ? text.replaceAll("&", parent) : `${parent} ${text}`;
  });
}

function addRule(
  reading: Reading,
  selector: string,
  declarations: readonly Declaration[],
  applies: readonly Match[],
): void {
  const known = reading.selectors.get(selector);
  const tested = known === undefined ? readSelector(selector, reading.isQuirky) : known;
  reading.selectors.set(selector, tested);
  if (tested === null) return;
  const rule: StyleRule = {
    matches: tested.matches,
    specificity: tested.specificity,
    order: reading.rules.length,
    declarations,
    applies: tested.isCertain ? applies : applies.map((match) => both(match, null)),
  };
  reading.rules.push(rule);
  const listed = reading.index.get(tested.key);
  if (listed) listed.push(rule);
  else reading.index.set(tested.key, [rule]);
}

/** A pseudo-element that styles generated content or controls, never the text. */
const OTHER_BOX =
  /::?(?:before|after|placeholder|selection|marker|backdrop|cue|file-selector-button|-(?:webkit|moz|ms)-(?!any)[\w-]+)\b/i;
/** Pseudo-elements of a part of the text. */
const PART_OF_TEXT = /::?first-(?:line|letter)\b/gi;

/** Compiles a selector. One that this engine does not know may apply, to more elements. Null if it never applies. */
function readSelector(selector: string, quirksMode: boolean) {
  if (OTHER_BOX.test(selector)) return null;
  const whole = selector.replace(PART_OF_TEXT, "").trim() || "*";
  const isWhole = whole === selector;
  const options = { quirksMode, pseudos: PSEUDOS };
  const parts = parseSelector(whole);
  const specificity = measureParts(parts);
  try {
    const matches = compile<AnyNode, Element>(whole, options);
    return { matches, specificity, key: findKey(parts), isCertain: isWhole };
  } catch {
    const broad = whole.replace(/[\w*-]*\|(?!=)/g, "").replace(/:[\w-]+(?:\((?:[^()]|\([^()]*\))*\))?/g, "");
    try {
      const matches = compile<AnyNode, Element>(broad.trim() || "*", options);
      return { matches, specificity, key: "*", isCertain: false };
    } catch {
      return { matches: () => true, specificity: 0, key: "*", isCertain: false };
    }
  }
}

function parseSelector(selector: string): CssNode[] {
  const ast = parse(selector, { context: "selector" });
  return ast.type === "Selector" ? ast.children.toArray() : [];
}

/** Returns the id, class or type in the last compound of a selector, in lower case. */
function findKey(parts: readonly CssNode[]): string {
  let key = "*";
  for (const part of parts) {
    if (part.type === "Combinator") key = "*";
    if (part.type === "TypeSelector" && key === "*") key = part.name.toLowerCase();
    if (part.type === "ClassSelector" && !key.startsWith("#")) key = `.${part.name.toLowerCase()}`;
    if (part.type === "IdSelector") key = `#${part.name.toLowerCase()}`;
  }
  return key;
}

function measureParts(parts: readonly CssNode[]): number {
  let sum = 0;
  for (const part of parts) {
    if (part.type === "IdSelector") sum += 1_000_000;
    else if (part.type === "ClassSelector" || part.type === "AttributeSelector") sum += 1_000;
    else if (part.type === "TypeSelector") sum += part.name === "*" ? 0 : 1;
    else if (part.type === "PseudoClassSelector")
      sum += measurePseudo(part.name.toLowerCase(), part.children?.toArray() ?? []);
  }
  return sum;
}

function measurePseudo(name: string, parts: readonly CssNode[]): number {
  if (name === "where") return 0;
  if (!["is", "not", "has", "matches"].includes(name)) return 1_000;
  const selectors = parts.flatMap((list) => (list.type === "SelectorList" ? list.children.toArray() : []));
  return Math.max(0, ...selectors.map((one) => (one.type === "Selector" ? measureParts(one.children.toArray()) : 0)));
}

const both = (one: Match, other: Match): Match =>
  one === false || other === false ? false : one === null || other === null ? null : true;
