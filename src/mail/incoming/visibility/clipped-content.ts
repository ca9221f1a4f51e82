/** Estimates whether a box that clips its content shows all of it. */
import type { ChildNode, Element } from "domhandler";
import { isTag, isText } from "domhandler";
import type { Winners } from "./cascade.ts";
import { clipsContent } from "./containment.ts";
import { toPx } from "./lengths.ts";

const DEFAULT_WIDTH_PX = 600;
/** Average width of a character, as a multiple of the font size. */
const CHARACTER_WIDTH = 0.4;
const LINE_HEIGHT = 1.2;
const MAX_NODES = 5_000;
const OWN_HEIGHT = /(?:^|;)\s*(?:height|min-height|padding-top|padding|margin-top)\s*:\s*(\d+(?:\.\d+)?)px/gi;

/** Returns true if a text of some length is too long for one line. */
export function exceedsLine(length: number, fontPx: number, widthPx: number): boolean {
  return length * fontPx * CHARACTER_WIDTH > widthPx;
}

/** Returns true if the box has a fixed height, or a single line, that is too small for its text. */
export function overflows(
  element: Element,
  winners: Winners,
  { fontPx, isNowrap }: { readonly fontPx: number; readonly isNowrap: boolean },
  windowPx: number,
): boolean {
  if (!clipsContent((name) => winners.get(name) ?? "")) return false;
  const read = (name: string) =>
    toPx(winners.get(name) ?? "", { fontPx, percentPx: name.endsWith("width") ? windowPx : null, windowPx });
  const heights = [read("height"), read("max-height")].filter((px) => px !== null);
  const clamp = Number.parseInt(winners.get("line-clamp") ?? "", 10);
  if (clamp > 0) heights.push(clamp * fontPx * LINE_HEIGHT);
  if (heights.length === 0 && !isNowrap) return false;
  const { length, breaks, heightPx, nodes } = measure(element);
  if (nodes >= MAX_NODES) return true;
  if (isNowrap && exceedsLine(length, fontPx, Math.min(read("width") ?? windowPx, read("max-width") ?? windowPx)))
    return true;
  if (heights.length === 0) return false;
  const widthPx = Math.min(read("width") ?? DEFAULT_WIDTH_PX, read("max-width") ?? DEFAULT_WIDTH_PX);
  const lines = Math.max(Math.ceil((length * fontPx * CHARACTER_WIDTH) / widthPx), length === 0 ? 0 : breaks + 1);
  return lines * fontPx + heightPx > Math.min(...heights) * 1.1;
}

/** Returns the approximate height of an element's text. Infinite if it is too large to measure. */
export function estimateHeightPx(element: Element, fontPx: number, windowPx: number): number {
  const { length, breaks, heightPx, nodes } = measure(element);
  if (nodes >= MAX_NODES) return Number.POSITIVE_INFINITY;
  const lines = Math.ceil((length * fontPx * CHARACTER_WIDTH) / Math.min(windowPx, DEFAULT_WIDTH_PX)) + breaks;
  return lines * fontPx * LINE_HEIGHT + heightPx;
}

type Measure = { length: number; breaks: number; heightPx: number; nodes: number };

/** Several elements can cover the same one, and each is measured at several widths. */
const measured = new WeakMap<Element, Measure>();

function measure(element: Element): Measure {
  const known = measured.get(element);
  if (known) return known;
  const found = { length: 0, breaks: 0, heightPx: 0, nodes: 0 };
  const open: ChildNode[] = [...element.children];
  while (open.length > 0 && found.nodes < MAX_NODES) {
    const node = open.pop();
    found.nodes += 1;
    if (node && isText(node)) found.length += node.data.trim().length;
    if (!node || !isTag(node)) continue;
    if (node.name === "br") found.breaks += 1;
    for (const [, px] of (node.attribs["style"] ?? "").matchAll(OWN_HEIGHT)) found.heightPx += Number(px);
    open.push(...node.children);
  }
  measured.set(element, found);
  return found;
}
