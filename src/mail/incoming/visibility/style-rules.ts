/** Rules of a message's style sheets, indexed by the last compound selector so that few are tested per element. */
import { type Atrule, type Block, type CssNode, find, generate, ident, parse, type Rule as RuleNode } from "css-tree";
import type { Element } from "domhandler";
import { type Declaration, expandDeclaration } from "./declarations.ts";
import { both, type Match } from "./match.ts";
import { matchMedia, WIDTHS_PX } from "./media-query.ts";
import {
  compileSelector,
  createSelectorContext,
  joinSelectors,
  type Parent,
  type Selector,
  type SelectorContext,
  UNKNOWN_SELECTOR,
  WHITE_SPACE,
} from "./selectors.ts";
import { readDataSheet, type StyleSheet } from "./style-sheets.ts";

export interface StyleRule {
  readonly matches: Selector["matches"];
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
  /** Returns the same for the `::before` or the `::after` of the element. */
  generatedCandidates(element: Element, box: string): StyleRule[];
  /** Returns true if there were too many rules, too deep ones, or too many tests of them, to know which apply. */
  isExhausted(): boolean;
}

const MAX_NESTING = 8;
/** Real newsletters need fewer than 2,000. */
const MAX_RULES = 20_000;
/** Of `data:` URLs, which are rare. */
const MAX_IMPORTS = 100;

type RuleIndex = Map<string, StyleRule[]>;

interface Reading {
  readonly index: RuleIndex;
  /** Rules of `::before` and `::after`. */
  readonly generated: Map<string, RuleIndex>;
  readonly rules: StyleRule[];
  readonly animations: Set<string>;
  readonly selectors: SelectorContext;
  importCount: number;
  /** Whether rules were not read because they are nested too deeply. */
  isTooDeep: boolean;
}

/**
 * Parses style sheets. Invalid rules are dropped, as browsers do.
 * @param isQuirky whether class names and ids ignore case (quirks mode)
 */
export function readStyleRules(sheets: readonly StyleSheet[], isQuirky: boolean): StyleRules {
  const selectors = createSelectorContext(isQuirky);
  const generated = new Map([
    ["before", new Map()],
    ["after", new Map()],
  ]);
  const counts = { importCount: 0, isTooDeep: false };
  const reading: Reading = { index: new Map(), generated, rules: [], animations: new Set(), selectors, ...counts };
  for (const { css, media, isCertain } of sheets) {
    const matches = matchMediaAttribute(media);
    const applies = matches.map((match) => both(match, isCertain || null));
    readSheet(reading, css, applies, null, 0);
  }
  const { rules, index, animations } = reading;
  return {
    rules,
    animations,
    candidates: (element) => findCandidates(index, element),
    generatedCandidates: (element, box) => findCandidates(generated.get(box), element),
    isExhausted: () =>
      rules.length >= MAX_RULES ||
      reading.importCount > MAX_IMPORTS ||
      reading.isTooDeep ||
      selectors.remainingTests < 0,
  };
}

function findCandidates(index: RuleIndex | undefined, { name, attribs }: Element): StyleRule[] {
  if (index === undefined) return [];
  const keys = new Set(["*", name]);
  if (attribs["id"] !== undefined) keys.add(`#${attribs["id"].toLowerCase()}`);
  for (const one of attribs["class"]?.split(WHITE_SPACE) ?? []) keys.add(`.${one.toLowerCase()}`);
  return [...keys].flatMap((key) => index.get(key) ?? []);
}

function matchMediaAttribute(media: string | null): readonly Match[] {
  try {
    const prelude = media === null ? null : parse(media, { context: "atrulePrelude", atrule: "media" });
    return WIDTHS_PX.map((px) => matchMedia(prelude, px));
  } catch {
    return WIDTHS_PX.map(() => null);
  }
}

function readSheet(
  reading: Reading,
  css: string,
  applies: readonly Match[],
  parent: Parent | null,
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
  parent: Parent | null,
  depth: number,
): void {
  if (node.type !== "Rule" && node.type !== "Atrule") return;
  reading.isTooDeep ||= depth > MAX_NESTING;
  if (reading.isTooDeep || reading.rules.length >= MAX_RULES) return;
  if (node.type === "Rule") readRule(reading, node, applies, parent, depth);
  else readAtrule(reading, node, applies, parent, depth);
}

function readAtrule(
  reading: Reading,
  node: Atrule,
  applies: readonly Match[],
  parent: Parent | null,
  depth: number,
): void {
  const name = ident.decode(node.name).toLowerCase();
  if (name === "import") {
    const css = readImport(node.prelude);
    if (css !== null) reading.importCount += 1;
    if (css !== null && reading.importCount <= MAX_IMPORTS)
      readSheet(
        reading,
        css,
        applies.map((match) => both(match, null)),
        null,
        depth + 1,
      );
  }
  if (node.block === null) return;
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
  parent: Parent | null,
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
  parent: Parent | null,
  depth: number,
): void {
  const declarations = node.block.children.toArray().flatMap((child) => {
    if (child.type !== "Declaration") return [];
    const text = child.value.type === "Raw" ? child.value.value : generate(child.value);
    return expandDeclaration(child.property, text, child.important !== false);
  });
  const selectors = readSelectors(node.prelude, parent, reading.selectors);
  if (declarations.length > 0) for (const selector of selectors) addRule(reading, selector, declarations, applies);
  readBlock(reading, node.block, applies, joinSelectors(selectors, reading.selectors), depth + 1);
}

/** Selectors that browsers may accept, although they cannot be parsed here. */
const MAY_BE_VALID = /[([\\]/;

function readSelectors(prelude: CssNode, parent: Parent | null, context: SelectorContext): Selector[] {
  if (prelude.type !== "SelectorList") return MAY_BE_VALID.test(generate(prelude)) ? [UNKNOWN_SELECTOR] : [];
  // More than this exhausts the number of rules anyway.
  return prelude.children
    .toArray()
    .slice(0, MAX_RULES)
    .map((selector) => compileSelector(selector, parent, context));
}

/** Returns the style sheet that an `@import` rule contains as a `data:` URL. Others are not loaded. */
function readImport(prelude: CssNode | null): string | null {
  const url = prelude && find(prelude, ({ type }) => type === "Url" || type === "String");
  return url?.type === "Url" || url?.type === "String" ? readDataSheet(url.value) : null;
}

function addRule(
  reading: Reading,
  { matches, specificity, key, box }: Selector,
  declarations: readonly Declaration[],
  applies: readonly Match[],
): void {
  const index = box === null ? reading.index : reading.generated.get(box);
  if (index === undefined || reading.rules.length >= MAX_RULES) return;
  const rule: StyleRule = { matches, specificity, order: reading.rules.length, declarations, applies };
  reading.rules.push(rule);
  const listed = index.get(key);
  if (listed) listed.push(rule);
  else index.set(key, [rule]);
}
