/**
 * Matches selectors (Selectors Level 4) in about linear time. Each part of a selector is tested once per element, and all tests of
 * a message share a budget. What is unknown, or differs between clients, matches with the result null.
 */
import { type CssNode, find, ident, type Selector as SelectorNode, walk } from "css-tree";
import type { Element } from "domhandler";
import { isTag, isText } from "domhandler";
import { createElementPositions, type ElementPositions } from "./element-positions.ts";
import { any, both, either, type Match, not } from "./match.ts";
import { MAX_SPECIFICITY, measureParts } from "./specificity.ts";

type Test = (element: Element) => Match;

export interface Selector {
  readonly matches: Test;
  /** Number of ids, of classes, and of types (Selectors Level 4, section 17), as one number. */
  readonly specificity: number;
  /** Id, class or type that a matching element has, in lower case; `*` for any. */
  readonly key: string;
  /** Pseudo-element with a box of its own, without the text of the element. */
  readonly box: string | null;
}

/** Selectors of a rule that encloses another one. */
export type Parent = Pick<Selector, "matches" | "specificity">;

export interface SelectorContext {
  /** Whether class names and ids ignore case (quirks mode). */
  readonly isQuirky: boolean;
  readonly positions: ElementPositions;
  readonly classes: Map<Element, ReadonlySet<string>>;
  /** Tests that remain for the message. Later ones have the result null. */
  remainingTests: number;
}

/** A large newsletter needs about 200,000. */
const MAX_TESTS = 3_000_000;
/** Larger selectors are not tested: the depth of the calls grows with them. */
const MAX_PARTS = 100;
const UNKNOWN: Test = () => null;

export function createSelectorContext(isQuirky: boolean): SelectorContext {
  return { isQuirky, positions: createElementPositions(), classes: new Map(), remainingTests: MAX_TESTS };
}

/** A selector that may match any element. */
export const UNKNOWN_SELECTOR: Selector = { matches: UNKNOWN, specificity: MAX_SPECIFICITY, key: "*", box: null };

/** Compiles a selector of a rule, or of one that is nested in another. */
export function compileSelector(node: CssNode, parent: Parent | null, context: SelectorContext): Selector {
  let count = 0;
  walk(node, () => void count++);
  if (node.type !== "Selector" || count > MAX_PARTS) return UNKNOWN_SELECTOR;
  const compounds = splitCompounds(node);
  const last = compounds.at(-1)?.parts ?? [];
  const box = last.map(readPseudoElement).find((name) => name !== null && OTHER_BOX.test(name)) ?? null;
  const isRelative = parent !== null && find(node, (inner) => inner.type === "NestingSelector") === null;
  const start = isRelative ? parent.matches : null;
  // The parts of a pseudo-element select its element.
  const parts = box === null ? last : last.filter((part) => readPseudoElement(part) === null);
  const tested = [...compounds.slice(0, -1), ...compounds.slice(-1).map((one) => ({ ...one, parts }))];
  const own = measureParts(node.children.toArray(), parent?.specificity ?? 0);
  return {
    matches: compileCompounds(tested, start, parent, context),
    specificity: Math.min(MAX_SPECIFICITY, own + (isRelative ? parent.specificity : 0)),
    key: findKey(last),
    box,
  };
}

/** Returns a parent that stands for any of several selectors. */
export function joinSelectors(selectors: readonly Selector[], context: SelectorContext): Parent {
  return {
    matches: cacheMatches((element) => any(selectors.map(({ matches }) => matches(element))), context),
    specificity: Math.max(0, ...selectors.map(({ specificity }) => specificity)),
  };
}

interface Compound {
  /** Relation to the compound before; empty for the first. */
  readonly combinator: string;
  readonly parts: CssNode[];
}

function splitCompounds(node: SelectorNode): Compound[] {
  const compounds: Compound[] = [];
  for (const part of node.children.toArray()) {
    if (part.type === "Combinator") compounds.push({ combinator: part.name, parts: [] });
    else if (compounds.length === 0) compounds.push({ combinator: "", parts: [part] });
    else compounds.at(-1)?.parts.push(part);
  }
  return compounds;
}

/** @param start what the first compound is relative to */
function compileCompounds(
  compounds: readonly Compound[],
  start: Test | null,
  parent: Parent | null,
  context: SelectorContext,
): Test {
  let before = start;
  for (const { combinator, parts } of compounds) {
    const tests = parts.map((part) => compilePart(part, parent, context));
    // Two combinators in a row are valid only in clients with combinators that are unknown here.
    const own = tests.length === 0 ? UNKNOWN : testAll(tests, context);
    const related = before === null ? null : relate(combinator || " ", before, context);
    before =
      related === null
        ? combinator === ""
          ? own
          : UNKNOWN
        : (element) => {
            const match = own(element);
            return match === false ? false : both(match, related(element));
          };
  }
  return before ?? UNKNOWN;
}

function testAll(tests: readonly Test[], context: SelectorContext): Test {
  return (element) => {
    let result: Match = true;
    for (const test of tests) {
      context.remainingTests -= 1;
      if (context.remainingTests < 0) return null;
      result = both(result, test(element));
      if (result === false) return false;
    }
    return result;
  };
}

const getParent = ({ parent }: Element): Element | null => (parent && isTag(parent) ? parent : null);

function relate(combinator: string, before: Test, context: SelectorContext): Test {
  const getPrevious = (element: Element) => context.positions.previous(element);
  const testOne = (next: (element: Element) => Element | null) => (element: Element) => {
    const related = next(element);
    return related === null ? false : before(related);
  };
  if (combinator === " ") return searchAlong(getParent, before, context);
  if (combinator === "~") return searchAlong(getPrevious, before, context);
  if (combinator === ">") return testOne(getParent);
  return combinator === "+" ? testOne(getPrevious) : UNKNOWN;
}

/** Tests the ancestors or the earlier siblings of an element, each of them once in a message. */
function searchAlong(next: (element: Element) => Element | null, test: Test, context: SelectorContext): Test {
  /** Whether an element, or one further along, matches. */
  const known = new Map<Element, Match>();
  return (element) => {
    const passed: Element[] = [];
    let result: Match = false;
    for (let at = next(element); at; at = next(at)) {
      const match = known.get(at);
      if (match !== undefined) {
        result = match;
        break;
      }
      context.remainingTests -= 1;
      if (context.remainingTests < 0) return null;
      passed.push(at);
    }
    for (const at of passed.toReversed()) {
      result = either(result, test(at));
      known.set(at, result);
    }
    return result;
  };
}

function cacheMatches(test: Test, context: SelectorContext): Test {
  const known = new Map<Element, Match>();
  return (element) => {
    const match = known.get(element);
    if (match !== undefined) return match;
    context.remainingTests -= 1;
    const result = context.remainingTests < 0 ? null : test(element);
    known.set(element, result);
    return result;
  };
}

function compilePart(part: CssNode, parent: Parent | null, context: SelectorContext): Test {
  switch (part.type) {
    case "NestingSelector":
      return parent?.matches ?? isRoot;
    case "TypeSelector": {
      const names = part.name.split("|");
      const name = ident.decode(names.at(-1) ?? "").toLowerCase();
      const match = names.length > 1 ? null : true;
      return (element) => (name === "*" || element.name === name ? match : false);
    }
    case "IdSelector": {
      const name = toName(ident.decode(part.name), context);
      return ({ attribs }) => toName(attribs["id"] ?? "", context) === name;
    }
    case "ClassSelector": {
      const name = toName(ident.decode(part.name), context);
      return (element) => readClasses(element, context).has(name);
    }
    case "AttributeSelector":
      return compileAttribute(part, context);
    case "PseudoClassSelector":
      return compilePseudoClass(part, parent, context);
    default:
      // A pseudo-element can contain part of the text, or all of it.
      return UNKNOWN;
  }
}

/** White space of HTML. Other characters are part of a class name. */
export const WHITE_SPACE = /[ \t\n\f\r]+/;

const toName = (name: string, { isQuirky }: SelectorContext) => (isQuirky ? name.toLowerCase() : name);

function readClasses(element: Element, context: SelectorContext): ReadonlySet<string> {
  const known = context.classes.get(element);
  if (known) return known;
  const found = new Set(toName(element.attribs["class"] ?? "", context).split(WHITE_SPACE));
  context.classes.set(element, found);
  return found;
}

function compileAttribute(
  { name, matcher, value, flags }: CssNode & { type: "AttributeSelector" },
  context: SelectorContext,
): Test {
  const names = name.name.split("|");
  const attribute = ident.decode(names.at(-1) ?? "").toLowerCase();
  const expected = value?.type === "Identifier" ? ident.decode(value.name) : (value?.value ?? "");
  const flag = flags?.toLowerCase() ?? "";
  return ({ attribs }) => {
    if (names.length > 1) return null;
    if (!Object.hasOwn(attribs, attribute)) return false;
    const actual = attribs[attribute] ?? "";
    if (matcher === null) return true;
    // The time for a comparison grows with the length.
    context.remainingTests -= Math.floor(actual.length / 100);
    if (context.remainingTests < 0) return null;
    const isEqual = compareValues(matcher, actual, expected);
    if (flag === "s") return isEqual;
    const isSimilar = compareValues(matcher, actual.toLowerCase(), expected.toLowerCase());
    // Whether case is ignored depends on the attribute.
    return flag === "i" || isSimilar === isEqual ? isSimilar : null;
  };
}

function compareValues(matcher: string, actual: string, expected: string): Match {
  if (matcher === "=") return actual === expected;
  if (matcher === "~=") return expected !== "" && actual.split(WHITE_SPACE).includes(expected);
  if (matcher === "|=") return actual === expected || actual.startsWith(`${expected}-`);
  if (matcher === "^=") return expected !== "" && actual.startsWith(expected);
  if (matcher === "$=") return expected !== "" && actual.endsWith(expected);
  return matcher === "*=" ? expected !== "" && actual.includes(expected) : null;
}

const isRoot: Test = (element) => getParent(element) === null;
const isLink: Test = ({ name, attribs }) => (name === "a" || name === "area") && attribs["href"] !== undefined;
/** A client may focus an element when it displays the message. */
const isFocused: Test = ({ attribs }) => (attribs["autofocus"] === undefined ? false : null);
/** White space is content in Selectors Level 3, and none in Level 4. */
const isEmpty: Test = ({ children }) => {
  if (children.some((child) => isTag(child) || (isText(child) && child.data.trim() !== ""))) return false;
  return children.some((child) => isText(child) && child.data !== "") ? null : true;
};
const CONTROLS = /^(?:a|button|input|select|textarea|option|optgroup|fieldset|form|output|object|progress|.*-.*)$/;
/** Other elements are not in any of these states. */
const isControlState: Test = ({ name }) => (CONTROLS.test(name) ? null : false);
const NEVER: Test = () => false;

/** Pseudo-classes that all clients match alike before the reader acts. The result of others is unknown. */
const PSEUDO_CLASSES: ReadonlyMap<string, Test> = new Map([
  ["root", isRoot],
  ["empty", isEmpty],
  ["link", isLink],
  ["any-link", isLink],
  ["focus", isFocused],
  ["focus-visible", isFocused],
  ...["hover", "active", "visited", "target", "fullscreen"].map((name): [string, Test] => [name, NEVER]),
  ...["autofill", "placeholder-shown", "checked", "enabled", "disabled", "required", "optional", "default"]
    .concat(["indeterminate", "valid", "invalid", "user-valid", "user-invalid", "in-range", "out-of-range"])
    .map((name): [string, Test] => [name, isControlState]),
]);

function compilePseudoClass(
  node: CssNode & { type: "PseudoClassSelector" },
  parent: Parent | null,
  context: SelectorContext,
): Test {
  const name = ident.decode(node.name).toLowerCase();
  const parts = node.children?.toArray() ?? [];
  const lists = parts.flatMap((part) => (part.type === "SelectorList" ? part.children.toArray() : []));
  if (parts.length === 0) {
    if (name === "focus-within") {
      const isFocusedWithin = hasWithin(isFocused, false, context);
      return (element) => either(isFocused(element), isFocusedWithin(element));
    }
    return PSEUDO_CLASSES.get(name) ?? compilePosition(name, null, context) ?? UNKNOWN;
  }
  if (parts[0]?.type === "Nth") return compilePosition(name, parts[0], context) ?? UNKNOWN;
  if (lists.length === 0) return UNKNOWN;
  if (name === "has") {
    const tests = lists.map((list) => compileHas(list, parent, context));
    return (element) => any(tests.map((test) => test(element)));
  }
  if (!["is", "where", "not"].includes(name)) return UNKNOWN;
  const tests = lists.map((list) =>
    list.type === "Selector" ? compileCompounds(splitCompounds(list), null, parent, context) : UNKNOWN,
  );
  const isAny: Test = (element) => any(tests.map((test) => test(element)));
  return name === "not" ? (element) => not(isAny(element)) : isAny;
}

/** Tests for a child or a descendant. Of selectors with several compounds, the result is unknown. */
function compileHas(node: CssNode, parent: Parent | null, context: SelectorContext): Test {
  const compounds = node.type === "Selector" ? splitCompounds(node) : [];
  const [first] = compounds;
  if (!first || compounds.length > 1 || !["", ">"].includes(first.combinator) || first.parts.length === 0)
    return UNKNOWN;
  const tests = first.parts.map((part) => compilePart(part, parent, context));
  return hasWithin(testAll(tests, context), first.combinator === ">", context);
}

/** Tests all elements of the document at the first use. */
function hasWithin(test: Test, isChild: boolean, context: SelectorContext): Test {
  let found: Map<Element, Match> | null = null;
  return (element) => {
    found ??= findContainers(element, test, isChild, context);
    return context.remainingTests < 0 ? null : (found.get(element) ?? false);
  };
}

function findContainers(element: Element, test: Test, isChild: boolean, context: SelectorContext): Map<Element, Match> {
  const found = new Map<Element, Match>();
  let root = element;
  for (let next = getParent(root); next; next = getParent(next)) root = next;
  const open: Element[] = [root];
  for (let at = open.pop(); at && context.remainingTests >= 0; at = open.pop()) {
    context.remainingTests -= 1;
    const match = test(at);
    if (match !== false) markContainers(at, match, isChild, found);
    for (const child of at.children) if (isTag(child)) open.push(child);
  }
  return found;
}

function markContainers(element: Element, match: Match, isChild: boolean, found: Map<Element, Match>): void {
  for (let at = getParent(element); at; at = isChild ? null : getParent(at)) {
    const known = found.get(at) ?? false;
    // Then the elements further out are marked already.
    if (known === true || known === match) return;
    found.set(at, either(known, match));
  }
}

/** Compiles a pseudo-class of the position among siblings; null for others. */
function compilePosition(name: string, nth: (CssNode & { type: "Nth" }) | null, context: SelectorContext): Test | null {
  const [, kind = "", end = "", ofType = ""] =
    /^(?:(first|last|only)|nth(-last)?)-(?:child|(of-type))$/.exec(name) ?? [];
  const { positions } = context;
  const isOfType = ofType !== "";
  if (kind !== "") {
    if (nth !== null) return null;
    const ends = kind === "only" ? [false, true] : [kind === "last"];
    return (element) => ends.every((isFromEnd) => positions.index(element, isFromEnd, isOfType) === 1);
  }
  // With `of`, only some siblings count.
  if (nth === null || nth.selector || !name.startsWith("nth-")) return null;
  const [step, offset] = readFormula(nth.nth);
  if (Number.isNaN(step + offset)) return null;
  return (element) => {
    const distance = positions.index(element, end !== "", isOfType) - offset;
    return step === 0 ? distance === 0 : distance / step >= 0 && distance % step === 0;
  };
}

function readFormula(node: CssNode): [number, number] {
  if (node.type === "Identifier") return [2, node.name.toLowerCase() === "odd" ? 1 : 0];
  if (node.type !== "AnPlusB") return [Number.NaN, 0];
  const step = node.a === null ? 0 : Number(/^[+-]?$/.test(node.a) ? `${node.a}1` : node.a);
  return [step, Number(node.b ?? 0)];
}

/** Boxes of generated content and of controls, never the text of the element. */
const OTHER_BOX =
  /^(?:before|after|placeholder|selection|marker|backdrop|cue|file-selector-button|-(?:webkit|moz|ms)-[\w-]+)$/;
/** Pseudo-elements that are also written with one colon. */
const SINGLE_COLON = /^(?:before|after|first-line|first-letter)$/;

function readPseudoElement(part: CssNode): string | null {
  if (part.type !== "PseudoElementSelector" && part.type !== "PseudoClassSelector") return null;
  const name = ident.decode(part.name).toLowerCase();
  return part.type === "PseudoElementSelector" || SINGLE_COLON.test(name) ? name : null;
}

/** Returns the id, class or type in a compound, in lower case. */
function findKey(parts: readonly CssNode[]): string {
  let key = "*";
  for (const part of parts) {
    if (part.type === "TypeSelector" && key === "*") key = ident.decode(part.name.replace(/^.*\|/, "")).toLowerCase();
    if (part.type === "ClassSelector" && !key.startsWith("#")) key = `.${ident.decode(part.name).toLowerCase()}`;
    if (part.type === "IdSelector") key = `#${ident.decode(part.name).toLowerCase()}`;
  }
  return key;
}
