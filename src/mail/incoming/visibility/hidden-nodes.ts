/** Finds the text and images of an HTML document that a reader does not see. */
import type { ChildNode, Document, Element, Text } from "domhandler";
import { isTag, isText } from "domhandler";
import {
  cascade,
  collectDeclarations,
  type Doubt,
  type ElementDeclarations,
  type Winners,
  type World,
} from "./cascade.ts";
import { exceedsLine, overflows } from "./clipped-content.ts";
import { findCover, hideCovered } from "./covering-elements.ts";
import { beginVariables, NO_VARIABLES, resolveVariables, type Variables } from "./custom-properties.ts";
import { beginStyles } from "./declarations.ts";
import { type ComputedStyle, canHide, computeStyle, hidesText, ROOT_STYLE } from "./hidden-style.ts";
import { WIDTHS_PX } from "./media-query.ts";
import { readStyleRules, type StyleRule, type StyleRules } from "./style-rules.ts";
import { readStyleSheet, type StyleSheet } from "./style-sheets.ts";

/** Above these, everything counts as hidden. Real newsletters need far less. */
const MAX_ELEMENTS = 50_000;
const MAX_SELECTOR_TESTS = 5_000_000;
/** Of all elements together. */
const MAX_DECLARATIONS = 500_000;
/** Deeper elements are removed. Chromium flattens elements below 512 levels. */
const MAX_DEPTH = 400;

export interface HiddenNodes {
  readonly hidden: ReadonlySet<ChildNode>;
  /** Of elements with rules: the winning declarations at the smallest width. */
  readonly winners: ReadonlyMap<Element, Winners>;
  /** Whether an element may be painted over text. */
  readonly isCovered: boolean;
}

/** Returns the text nodes and images that at least one reader does not see. */
export function findHiddenNodes(document: Document, isQuirky: boolean): HiddenNodes {
  beginStyles();
  beginVariables();
  const hidden = new Set<ChildNode>();
  const winners = new Map<Element, Winners>();
  const { sheets, elementCount } = collectSheets(document);
  const rules = readStyleRules(sheets, isQuirky);
  const isTooLarge = elementCount > MAX_ELEMENTS || elementCount * rules.rules.length > MAX_SELECTOR_TESTS;
  const declarations = isTooLarge ? null : collectAll(document, rules);
  if (declarations === null) {
    walkElements(document, (node) => void hidden.add(node));
    return { hidden, winners, isCovered: false };
  }
  let isCovered = false;
  for (const world of listWorlds(rules, declarations)) {
    const found = findInWorld(document, world, rules, declarations, hidden, winners.size === 0 ? winners : null);
    isCovered ||= found.isCovered;
  }
  return { hidden, winners, isCovered };
}

/** Returns the declarations of each element; null if there are too many. */
function collectAll(document: Document, rules: StyleRules): Map<Element, ElementDeclarations> | null {
  const found = new Map<Element, ElementDeclarations>();
  let count = 0;
  walkElements(document, (node) => {
    if (!isTag(node) || count > MAX_DECLARATIONS || rules.isExhausted()) return;
    const declared = collectDeclarations(node, rules);
    for (const rule of [...declared.rules, ...declared.generated.flat()]) count += rule.declarations.length;
    count += declared.inline.length;
    found.set(node, declared);
  });
  return count > MAX_DECLARATIONS || rules.isExhausted() ? null : found;
}

function collectSheets(document: Document) {
  const sheets: StyleSheet[] = [];
  let elementCount = 0;
  walkElements(document, (node) => {
    if (!isTag(node)) return;
    elementCount += 1;
    const sheet = readStyleSheet(node);
    if (sheet !== null) sheets.push(sheet);
  });
  return { sheets, elementCount };
}

/** Calls `visit` with each node in document order. */
function walkElements(document: Document, visit: (node: ChildNode) => void): void {
  const open: ChildNode[] = document.children.toReversed();
  for (let node = open.pop(); node; node = open.pop()) {
    visit(node);
    if (isTag(node)) for (const child of node.children.toReversed()) open.push(child);
  }
}

/** Returns the ways of display that differ in at least one declaration. */
function listWorlds({ rules }: StyleRules, declarations: ReadonlyMap<Element, ElementDeclarations>): World[] {
  const seen = new Map<string, World>();
  const hasConditions =
    rules.some(({ applies }) => applies.includes(null)) ||
    [...declarations.values()].some((one) => one.rules.some(({ applies }) => applies.includes(null)));
  const doubts: readonly Doubt[] = hasConditions ? ["none", "all", "hiding"] : ["none"];
  const isDoubtful =
    rules.some((rule) => rule.declarations.some((one) => one.isDoubtful)) ||
    [...declarations.values()].some(({ inline }) => inline.some((one) => one.isDoubtful));
  WIDTHS_PX.forEach((_px, widthIndex) => {
    const column = rules.map(({ applies }) => String(applies[widthIndex])).join();
    for (const doubt of doubts)
      for (const isStrict of isDoubtful ? [false, true] : [false]) {
        const key = `${doubt} ${isStrict} ${column}`;
        if (!seen.has(key)) seen.set(key, { widthIndex, doubt, isStrict });
      }
  });
  return [...seen.values()];
}

interface Frame {
  readonly node: ChildNode;
  readonly style: ComputedStyle;
  readonly variables: Variables;
  readonly depth: number;
  /** The table that contains the node. A collapsed column hides all of it, since no layout is computed. */
  readonly table: { isCollapsed: boolean };
  /** Nearest positioned ancestor, to which positions refer. */
  readonly block: Element | null;
}

function findInWorld(
  document: Document,
  world: World,
  rules: StyleRules,
  declarations: ReadonlyMap<Element, ElementDeclarations>,
  hidden: Set<ChildNode>,
  allWinners: Map<Element, Winners> | null,
): { readonly isCovered: boolean } {
  const windowPx = WIDTHS_PX[world.widthIndex] ?? 0;
  const root = { style: ROOT_STYLE, variables: NO_VARIABLES, depth: 0, table: { isCollapsed: false }, block: null };
  /** Elements that cover their containing block, by that block. */
  const covering = new Map<Element | null, Set<ChildNode>>();
  let isCovered = false;
  const coversGenerated = (
    rulesOfBox: readonly StyleRule[],
    node: Element,
    outer: Frame["block"],
    style: ComputedStyle,
  ) => {
    const its = cascade({ rules: rulesOfBox, hints: [], inline: [] }, world, canHide);
    const own = computeStyle(node, its, style, windowPx, rules.animations);
    // Small decorations are common.
    return findCover(node, its, own, { leftPx: 0, topPx: 0 }, outer, windowPx) === "all";
  };
  const open: Frame[] = document.children.toReversed().map((node) => ({ ...root, node }));
  for (let frame = open.pop(); frame; frame = open.pop()) {
    const { node, depth } = frame;
    if (isText(node) && (hidesText(frame.style) || frame.table.isCollapsed || isCut(node, frame.style, windowPx)))
      hidden.add(node);
    if (!isTag(node)) continue;
    const declared = declarations.get(node) ?? { rules: [], hints: [], inline: [], generated: [] };
    const raw = cascade(declared, world, canHide);
    const { winners, variables } = resolveVariables(raw, frame.variables);
    if (declared.rules.length > 0) allWinners?.set(node, winners);
    let style = computeStyle(node, winners, frame.style, windowPx, rules.animations);
    if (depth >= MAX_DEPTH || overflows(node, winners, style, windowPx)) style = { ...style, isRemoved: true };
    if (node.name.startsWith("col") && style.isInvisible) frame.table.isCollapsed = true;
    if (node.name === "img" && (style.isRemoved || style.isInvisible || frame.table.isCollapsed)) hidden.add(node);
    const shift = { leftPx: style.leftPx - frame.style.leftPx, topPx: style.topPx - frame.style.topPx };
    const cover = findCover(node, winners, style, shift, frame.block, windowPx);
    if (cover === "all") covering.set(frame.block, (covering.get(frame.block) ?? new Set()).add(node));
    if (cover === "some") isCovered = true;
    const block = /^(?:absolute|fixed|relative|sticky)$/.test(winners.get("position") ?? "") ? node : frame.block;
    if (!isCovered && !style.isRemoved)
      isCovered = declared.generated.some((its) => coversGenerated(its, node, block, style));
    const table = node.name === "table" ? { isCollapsed: frame.table.isCollapsed } : frame.table;
    const closed = node.name === "details" && node.attribs["open"] === undefined;
    const summary = closed ? node.children.find((child) => isTag(child) && child.name === "summary") : null;
    for (const child of node.children.toReversed()) {
      const childStyle = closed && child !== summary ? { ...style, isRemoved: true } : style;
      open.push({ node: child, style: childStyle, variables, depth: depth + 1, table, block });
    }
  }
  for (const [block, elements] of covering)
    hideCovered(block?.children ?? document.children, elements, (node) => void hidden.add(node));
  return { isCovered };
}

/** Returns true if a line that does not wrap is longer than a box that clips it. */
function isCut({ data }: Text, { isNowrap, isClipped, fontPx, widthPx }: ComputedStyle, windowPx: number): boolean {
  return isNowrap && isClipped && exceedsLine(data.trim().length, fontPx, Math.min(widthPx ?? windowPx, windowPx));
}

/** Returns the text of a text node; empty for other nodes. */
export function getText(node: ChildNode): string {
  return isText(node) ? (node as Text).data : "";
}
