/** Media queries (Media Queries Level 4) for a reader at a desktop screen with a light colour scheme. */
import type { CssNode } from "css-tree";
import { all, any, type Match, not } from "./match.ts";

/** Widths of the window for which text must be visible, in CSS pixels. */
export const WIDTHS_PX = [800, 1_280, 1_920] as const;

const EM_PX = 16;

/** Returns whether the media query list of an at-rule matches at a width. */
export function matchMedia(prelude: CssNode | null, widthPx: number): Match {
  if (prelude?.type !== "AtrulePrelude") return prelude === null ? true : null;
  const list = prelude.children.first;
  if (list === null) return true;
  if (list.type !== "MediaQueryList") return null;
  return any(list.children.toArray().map((query) => matchQuery(query, widthPx)));
}

function matchQuery(query: CssNode, widthPx: number): Match {
  if (query.type !== "MediaQuery") return null;
  // The type definitions lack these members.
  const { modifier, mediaType, condition } = query as unknown as {
    modifier: string | null;
    mediaType: string | null;
    condition: CssNode | null;
  };
  const type = mediaType?.toLowerCase() ?? "all";
  const isType = type === "all" || type === "screen";
  const result = all([isType, condition === null ? true : matchCondition(condition, widthPx)]);
  return modifier?.toLowerCase() === "not" ? not(result) : result;
}

function matchCondition(node: CssNode, widthPx: number): Match {
  if (node.type === "Condition") {
    const parts = (node.children?.toArray() ?? []) as CssNode[];
    const words = parts.flatMap((part) => (part.type === "Identifier" ? [part.name.toLowerCase()] : []));
    const results = parts.filter((part) => part.type !== "Identifier").map((part) => matchCondition(part, widthPx));
    if (words[0] === "not") return not(results[0] ?? null);
    return words.includes("or") ? any(results) : all(results);
  }
  if (node.type === "Feature") return matchFeature(node.name.toLowerCase(), node.value, widthPx);
  if (node.type === "FeatureRange") return matchRange(node as unknown as Range, widthPx);
  return null;
}

function matchFeature(name: string, value: CssNode | null, widthPx: number): Match {
  const word = value?.type === "Identifier" ? value.name.toLowerCase() : "";
  if (name === "prefers-color-scheme") return word === "light";
  const px = toPx(value);
  if (px === null) return name === "width" && value === null ? true : null;
  if (name === "min-width" || name === "min-device-width") return widthPx >= px;
  if (name === "max-width" || name === "max-device-width") return widthPx <= px;
  return name === "width" ? widthPx === px : null;
}

interface Range {
  readonly left: CssNode;
  readonly leftComparison: string;
  readonly middle: CssNode;
  readonly rightComparison: string | null;
  readonly right: CssNode | null;
}

function matchRange({ left, leftComparison, middle, rightComparison, right }: Range, widthPx: number): Match {
  const read = (node: CssNode) => (node.type === "Identifier" && node.name === "width" ? widthPx : toPx(node));
  const compare = (one: CssNode, sign: string, other: CssNode): Match => {
    const [a, b] = [read(one), read(other)];
    if (a === null || b === null) return null;
    if (sign.startsWith("<")) return sign === "<=" ? a <= b : a < b;
    if (sign.startsWith(">")) return sign === ">=" ? a >= b : a > b;
    return a === b;
  };
  const first = compare(left, leftComparison, middle);
  return right === null || rightComparison === null ? first : all([first, compare(middle, rightComparison, right)]);
}

function toPx(node: CssNode | null): number | null {
  if (node?.type === "Number") return Number(node.value) === 0 ? 0 : null;
  if (node?.type !== "Dimension") return null;
  const unit = node.unit.toLowerCase();
  if (unit === "px") return Number(node.value);
  return unit === "em" || unit === "rem" ? Number(node.value) * EM_PX : null;
}
