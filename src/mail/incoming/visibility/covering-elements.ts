/** Elements that are painted over text which comes before or after them. */
import type { ChildNode, Element } from "domhandler";
import { isTag, isText } from "domhandler";
import type { Winners } from "./cascade.ts";
import { estimateHeightPx } from "./clipped-content.ts";
import { parseColor, WHITE } from "./colors.ts";
import { splitValue } from "./declarations.ts";
import type { ComputedStyle } from "./hidden-style.ts";
import { toPx } from "./lengths.ts";

/** `all`: it covers its containing block. `some`: without layout, it is unknown what it covers. */
export type Cover = "all" | "some" | "none";

const PAINTED = new Set(["img", "svg", "video", "iframe", "canvas", "object", "embed"]);
const MIN_OPACITY = 0.5;
/** Offsets and overlaps below this leave text legible. */
const SMALL_PX = 8;
const WIDE_PX = 300;
const HIGH_PX = 600;
const WINDOW_HEIGHT_PX = 800;

/**
 * Determines what an element covers.
 * @param style computed style of the element
 * @param shift own distance by which it is moved, in pixels
 * @param block its containing block
 */
export function findCover(
  element: Element,
  winners: Winners,
  style: ComputedStyle,
  shift: { readonly leftPx: number; readonly topPx: number },
  block: Element | null,
  windowPx: number,
): Cover {
  const get = (property: string) => winners.get(property) ?? "";
  if (style.isRemoved || style.isInvisible || style.opacity < MIN_OPACITY) return "none";
  if (hasCoveringOutline(get, style.fontPx, windowPx)) return "some";
  if (!isOpaque(element, get)) return "none";
  const position = get("position");
  if (position !== "absolute" && position !== "fixed") {
    const isMoved = shift.leftPx < -SMALL_PX || shift.topPx < -SMALL_PX;
    return isMoved || /\d/.test(get("grid-area") + get("grid-row")) ? "some" : "none";
  }
  const read = (name: string, percentPx: number) => toPx(get(name), { fontPx: style.fontPx, percentPx, windowPx });
  const isNear = (px: number | null) => px !== null && px <= SMALL_PX;
  const [top, bottom] = [read("top", WINDOW_HEIGHT_PX), read("bottom", WINDOW_HEIGHT_PX)];
  const [left, right] = [read("left", windowPx), read("right", windowPx)];
  const [width, height] = [read("width", windowPx) ?? 0, read("height", WINDOW_HEIGHT_PX) ?? 0];
  const isWide = (isNear(left) && isNear(right)) || (isNear(left ?? right) && width >= Math.min(WIDE_PX, windowPx));
  if (!isWide) return "some";
  if (isNear(top) && isNear(bottom)) return "all";
  if (!isNear(top ?? bottom)) return "some";
  if (height >= HIGH_PX) return "all";
  // The height of the block's content includes that of the covering element, if its own style sets it.
  return block !== null && estimateHeightPx(block, style.fontPx, windowPx) <= height * 2 ? "all" : "some";
}

/** An outline is painted over the text of its element if its offset is negative, and over that of others if it is wide. */
function hasCoveringOutline(get: (property: string) => string, fontPx: number, windowPx: number): boolean {
  const read = (value: string) => toPx(value, { fontPx, percentPx: null, windowPx }) ?? 0;
  const widthPx = Math.max(0, ...[...splitValue(get("outline")), get("outline-width")].map(read));
  return widthPx > SMALL_PX * 2 || (widthPx > 0 && read(get("outline-offset")) < -SMALL_PX / 2);
}

function isOpaque({ name }: Element, get: (property: string) => string): boolean {
  if (PAINTED.has(name) || /url\(|gradient\(|image/.test(get("background-image"))) return true;
  const value = get("background-color");
  if (value === "" || /^(?:initial|unset|inherit|transparent)$/.test(value)) return false;
  return (parseColor(value, WHITE)?.alpha ?? 1) >= MIN_OPACITY;
}

/** Calls `hide` with the text and images of a containing block that are not in the covering element. */
export function hideCovered(
  nodes: readonly ChildNode[],
  covering: ReadonlySet<ChildNode>,
  hide: (node: ChildNode) => void,
): void {
  const open = [...nodes];
  for (let node = open.pop(); node; node = open.pop()) {
    if (covering.has(node)) continue;
    if (isText(node)) hide(node);
    if (!isTag(node)) continue;
    if (node.name === "img") hide(node);
    open.push(...node.children);
  }
}
