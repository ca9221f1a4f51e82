/** Computes what of an element's style decides whether its text is visible. In doubt, it is not. */
import type { Element } from "domhandler";
import type { Winners } from "./cascade.ts";
import { BLACK, blend, type Color, isIllegible, parseColor, WHITE } from "./colors.ts";
import { clipsContent, listContainedSizes } from "./containment.ts";
import { type Declaration, splitValue } from "./declarations.ts";
import { type LengthContext, toPx } from "./lengths.ts";

/** Inherited values and those that accumulate from the root to an element. */
export interface ComputedStyle {
  /** Hidden with all descendants. */
  readonly isRemoved: boolean;
  /** Hidden by `visibility`, which descendants can revoke. */
  readonly isInvisible: boolean;
  readonly opacity: number;
  readonly fontPx: number;
  /** Multiple of the font size, or pixels. Null: normal. */
  readonly lineHeight: { readonly number: number } | { readonly px: number } | null;
  readonly color: Color | null;
  readonly fill: Color | null | undefined;
  /** What can be behind the text. */
  readonly behind: readonly Color[];
  /** Distance by which the text is moved, in pixels. */
  readonly leftPx: number;
  readonly topPx: number;
  readonly indentPx: number;
  /** Whether an ancestor or the element clips its content. */
  readonly isClipped: boolean;
  /** Smallest height of those that clip; null if none has a fixed height. */
  readonly clipPx: number | null;
  /** Width and height that the style sets, for percentages. Null: unknown. The width is that of the nearest element with one. */
  readonly widthPx: number | null;
  readonly heightPx: number | null;
  /** Whether text does not wrap. */
  readonly isNowrap: boolean;
  readonly direction: string;
  /** Display of the parent, for `inherit`. */
  readonly isOverridden: boolean;
}

export const ROOT_STYLE: ComputedStyle = {
  isRemoved: false,
  isInvisible: false,
  opacity: 1,
  fontPx: 16,
  lineHeight: null,
  color: BLACK,
  fill: undefined,
  behind: [WHITE],
  leftPx: 0,
  topPx: 0,
  indentPx: 0,
  isClipped: false,
  clipPx: null,
  widthPx: null,
  heightPx: null,
  isNowrap: false,
  direction: "ltr",
  isOverridden: false,
};

/** A smaller `font-size-adjust` makes text illegible. That of usual fonts is about 0.5. */
const MIN_ADJUST = 0.2;
/** A box with a larger ratio of its sides shows no line of text. */
const MAX_RATIO = 20;
/** Smaller text cannot be read. */
const MIN_FONT_PX = 5;
const MIN_LINE_PX = 4;
/** A box that clips its content shows no text below this size. */
const MIN_BOX_PX = 8;
const MIN_OPACITY = 0.15;
/** Text that is moved further to the left or the top is not on the screen. */
const MAX_SHIFT_PX = 60;
/** Text that is moved further to the right or the bottom is not found by a reader. */
const MAX_FAR_PX = 1_500;
const ELEMENTS_WITHOUT_TEXT = new Set(
  [
    "script style template head title noscript noframes noembed iframe object embed applet audio video canvas",
    "svg math textarea select option optgroup datalist meter progress rp frameset xmp plaintext",
  ].flatMap((names) => names.split(" ")),
);
const FONT_SIZES: Readonly<Record<string, number>> = {
  "xx-small": 9,
  "x-small": 10,
  small: 13,
  medium: 16,
  large: 18,
  "x-large": 24,
  "xx-large": 32,
  "xxx-large": 48,
  initial: 16,
};
/** Filters that change colours but remove nothing. */
const HARMLESS_FILTER = /^(?:(?:drop-shadow|grayscale|sepia|saturate|hue-rotate)\([^()]*(?:\([^()]*\))?[^()]*\)\s*)+$/;
const PROPERTIES_OF_DOUBT =
  /^(?:color|background-color|background-image|text-fill-color|left|top|right|bottom|margin-left|margin-top|margin-right|text-indent|animation-name|width|height|max-width|max-height|overflow|position|clip|clip-path|transform|translate|scale|rotate|filter|mask|mask-image|z-index|zoom|background-clip|mix-blend-mode|letter-spacing|line-height|content-visibility|text-security|unicode-bidi|mso-hide|contain|container-type|offset-path|margin-bottom|font-size-adjust|content|mask-border|mask-border-source|mask-box-image|mask-box-image-source|line-clamp|white-space|grid-template-rows|grid-template-columns|flex|flex-basis|aspect-ratio|padding|padding-left|padding-top|border|border-left|border-top|border-width|border-left-width|border-top-width)$/;

/** Returns true if a declaration alone can hide text. */
export function canHide({ property, value }: Declaration): boolean {
  if (property.startsWith("--") || /\b(?:var|env|attr)\(/.test(value)) return true;
  if (property === "display") return UNSHOWN_DISPLAY.test(value);
  if (property === "visibility") return value !== "visible";
  if (property === "opacity") return !(Number.parseFloat(value) >= 0.5);
  if (property === "font-size") return /^[+-]?(?:0|\.|[1-6](?!\d))|\(/.test(value);
  return PROPERTIES_OF_DOUBT.test(property) && !/^(?:none|auto|visible|static|normal)$/.test(value);
}

/** Computes the style of an element from its parent's style. */
export function computeStyle(
  element: Element,
  winners: Winners,
  parent: ComputedStyle,
  windowPx: number,
  animations: ReadonlySet<string>,
): ComputedStyle {
  if (ELEMENTS_WITHOUT_TEXT.has(element.name)) return { ...parent, isRemoved: true };
  const get = (property: string) => winners.get(property) ?? "";
  const fontPx = computeFontPx(get("font-size"), parent.fontPx, windowPx);
  const context: LengthContext = { fontPx, percentPx: null, windowPx };
  const color = computeColor(get("color"), parent.color);
  const behind = computeBehind(get, parent.behind, color ?? BLACK);
  const shift = computeShift(get, context);
  const lineHeight = computeLineHeight(get("line-height"), parent.lineHeight, context);
  const indent = get("text-indent").includes("(")
    ? -MAX_FAR_PX
    : toPx(get("text-indent"), { ...context, percentPx: windowPx });
  const direction = get("direction") || parent.direction;
  // At least as opaque as the product of all ancestors.
  const opacity = get("opacity") === "inherit" ? parent.opacity : computeOpacity(get("opacity"));
  const size = computeSize(get, parent, context);
  const whiteSpace = get("white-space");
  const style = {
    isRemoved: false,
    isInvisible: computeInvisible(get("visibility"), parent.isInvisible),
    opacity: parent.opacity * opacity,
    fontPx,
    lineHeight,
    color,
    fill: computeFill(get("text-fill-color"), parent.fill, color),
    behind,
    leftPx: parent.leftPx + shift.leftPx,
    topPx: parent.topPx + shift.topPx,
    indentPx: get("text-indent") === "" ? parent.indentPx : (indent ?? parent.indentPx),
    isClipped: parent.isClipped || clipsContent(get),
    clipPx: clipsContent(get) ? smallest([parent.clipPx, ...readHeights(get, context)]) : parent.clipPx,
    ...size,
    isNowrap: whiteSpace === "" || whiteSpace === "inherit" ? parent.isNowrap : /nowrap|pre(?!-)/.test(whiteSpace),
    direction,
    isOverridden: parent.isOverridden || (get("unicode-bidi").includes("override") && direction === "rtl"),
  };
  const isRemoved =
    parent.isRemoved ||
    removes(element, get, context, shift, animations) ||
    (clipsContent(get) && [size.widthPx, size.heightPx].some((px) => px !== null && px < MIN_BOX_PX)) ||
    (style.isClipped && collapses(get, context));
  return { ...style, isRemoved };
}

function computeSize(get: Get, parent: ComputedStyle, context: LengthContext) {
  const read = (value: string, inherited: number | null) =>
    value === "inherit" ? inherited : toPx(value, { ...context, percentPx: inherited });
  return {
    widthPx: read(get("width"), parent.widthPx) ?? parent.widthPx,
    heightPx: read(get("height"), parent.heightPx),
  };
}

/** Returns true if the box of an element has no height, so an ancestor with the height of its content clips it. */
function collapses(get: Get, context: LengthContext): boolean {
  const sizes = listContainedSizes(get);
  if (sizes.some((name) => !(Number(toPx(get(name), { ...context, percentPx: context.windowPx })) >= MIN_BOX_PX)))
    return true;
  if (readHeights(get, context).some((px) => px < MIN_BOX_PX)) return true;
  if (hasNoTrack(get("grid-template-rows")) || hasNoTrack(get("grid-template-columns"))) return true;
  const [grow = "", ...others] = splitValue(get("flex"));
  const basis = toPx(get("flex-basis") || (others.at(-1) ?? ""), context);
  if (basis !== null && basis < MIN_BOX_PX && others.length !== 1 && !(Number.parseFloat(grow) > 0)) return true;
  const [across = 1, along = 1] = get("aspect-ratio")
    .replace("auto", "")
    .split("/")
    .map((part) => Number.parseFloat(part) || 1);
  if (across / along > MAX_RATIO || along / across > MAX_RATIO) return true;
  return (toPx(get("margin-bottom"), { ...context, percentPx: context.windowPx }) ?? 0) < -MIN_BOX_PX;
}

/** Returns true if a track of a grid has no size. */
const hasNoTrack = (tracks: string) =>
  splitValue(tracks).some((track) => /^(?:repeat\([^,]*,\s*)?[+-]?(?:0|\.0)[\d.]*(?:[a-z%]*|e.*)\)?$/.test(track));

function readHeights(get: Get, context: LengthContext): number[] {
  return ["height", "max-height"].map((name) => toPx(get(name), context)).filter((px) => px !== null);
}

const smallest = (numbers: readonly (number | null)[]) => {
  const known = numbers.filter((number) => number !== null);
  return known.length === 0 ? null : Math.min(...known);
};

type Get = (property: string) => string;

function removes(
  element: Element,
  get: Get,
  context: LengthContext,
  shift: Shift,
  animations: ReadonlySet<string>,
): boolean {
  const display = get("display");
  if (UNSHOWN_DISPLAY.test(display) || isUnresolved(display) || (get("mso-hide") !== "" && get("mso-hide") !== "none"))
    return true;
  if (element.name === "col" || element.name === "colgroup") return false;
  if (isUnresolved(get("visibility"))) return true;
  if (clips(get, context) || shift.isFar) return true;
  if (get("clip") !== "" && !/^(?:auto|initial|unset)$/.test(get("clip"))) return true;
  if (["clip-path", "mask", "mask-image"].some((name) => isSet(get(name)))) return true;
  if (isSet(get("filter")) && !HARMLESS_FILTER.test(get("filter"))) return true;
  if (isSet(get("mix-blend-mode")) && get("mix-blend-mode") !== "normal") return true;
  if (get("background-clip") === "text" || get("content-visibility") === "hidden" || isSet(get("text-security")))
    return true;
  if (transforms(get) || isSet(get("offset-path"))) return true;
  if (/^-\d/.test(get("z-index"))) return true;
  // On an element, `content` is effective only if it is an image.
  if (/(?:url|image|image-set|gradient|cross-fade|element|var)\(/.test(get("content"))) return true;
  if (["mask-border", "mask-border-source", "mask-box-image", "mask-box-image-source"].some((name) => isSet(get(name))))
    return true;
  const adjust = get("font-size-adjust");
  if (isSet(adjust) && /\d|\(/.test(adjust) && !(Number.parseFloat(adjust.replace(/^[^\d.]*/, "")) >= MIN_ADJUST))
    return true;
  if (INSETS.some((name) => splitValue(get(name)).some((part) => Number(toPx(part, context)) > MAX_FAR_PX)))
    return true;
  const spacing = toPx(get("letter-spacing"), context);
  if (spacing !== null && spacing <= -0.3 * context.fontPx) return true;
  const names = get("animation-name");
  return names !== "" && names.split(/[\s,]+/).some((name) => animations.has(name));
}

/** Padding and borders that move the content. */
const INSETS = ["padding", "padding-left", "padding-top", "border", "border-left", "border-top", "border-width"].concat(
  [...["border-left-width", "border-top-width"]],
);

/** The content of a column is not displayed (CSS 2.2, section 17.2). */
const UNSHOWN_DISPLAY = /^(?:none|table-column(?:-group)?)$/;
const isSet = (value: string) => value !== "" && !/^(?:none|initial|unset)$/.test(value);
const isUnresolved = (value: string) => /\b(?:var|env|attr)\(/.test(value);

/** Returns true if the box clips its content to less than a line. */
function clips(get: Get, context: LengthContext): boolean {
  if (!clipsContent(get)) return false;
  return ["width", "height", "max-width", "max-height"].some((name) => {
    const value = get(name);
    if (isUnresolved(value)) return true;
    const px = toPx(value, { ...context, percentPx: context.windowPx });
    return px !== null && px < MIN_BOX_PX;
  });
}

function transforms(get: Get): boolean {
  if (isUnresolved(get("transform"))) return true;
  const scale = splitValue(get("scale")).map(Number.parseFloat);
  if (scale.some((factor) => factor < 0.3)) return true;
  const zoom = Number.parseFloat(get("zoom"));
  if (zoom < (get("zoom").endsWith("%") ? 30 : 0.3)) return true;
  if (/[xy]/.test(get("rotate"))) return true;
  const transform = get("transform");
  if (/(?:calc|min|max|clamp)\(/.test(transform + get("translate"))) return true;
  if (/matrix|rotate(?:3d|x|y)|perspective|skew/.test(transform)) return true;
  const factors = [...transform.matchAll(/scale(?:x|y|z|3d)?\(([^()]*)\)/g)].flatMap(([, list = ""]) =>
    list.split(","),
  );
  return factors.some((factor) => !(Number.parseFloat(factor) * (factor.includes("%") ? 0.01 : 1) >= 0.3));
}

interface Shift {
  readonly leftPx: number;
  readonly topPx: number;
  readonly isFar: boolean;
}

function computeShift(get: Get, context: LengthContext): Shift {
  const wide = { ...context, percentPx: context.windowPx };
  const isPositioned = /^(?:absolute|fixed|relative|sticky)$/.test(get("position")) || isUnresolved(get("position"));
  const read = (name: string) => {
    const value = get(name);
    // What a function results in is not computed.
    return value.includes("(") ? -MAX_FAR_PX : toPx(value, wide);
  };
  const offset = (start: string, end: string) => read(start) ?? -(read(end) ?? 0);
  const [moveX = "", moveY = ""] = splitValue(get("translate"));
  const moved = [...get("transform").matchAll(/translate(x|y|z|3d)?\(([^()]*)\)/g)].map(([, axis, list = ""]) => {
    const [one = 0, other = 0] = list.split(",").map((part) => toPx(part.trim(), wide) ?? 0);
    return axis === "y" ? { x: 0, y: one } : axis === "z" ? { x: 0, y: 0 } : { x: one, y: axis === "x" ? 0 : other };
  });
  const leftPx =
    (isPositioned ? offset("left", "right") : 0) +
    (read("margin-left") ?? 0) +
    Math.min(0, read("margin-right") ?? 0) +
    (toPx(moveX, wide) ?? 0) +
    moved.reduce((sum, { x }) => sum + x, 0);
  const topPx =
    (isPositioned ? offset("top", "bottom") : 0) +
    (read("margin-top") ?? 0) +
    (toPx(moveY, wide) ?? 0) +
    moved.reduce((sum, { y }) => sum + y, 0);
  const isFar = [leftPx, topPx].some((px) => px > MAX_FAR_PX || px < -MAX_SHIFT_PX);
  return { leftPx, topPx, isFar };
}

function computeFontPx(value: string, parentPx: number, windowPx: number): number {
  if (value === "" || value === "inherit" || value === "unset") return parentPx;
  if (isUnresolved(value)) return 0;
  if (value === "smaller") return parentPx / 1.2;
  if (value === "larger") return parentPx * 1.2;
  if (value === "revert" || value === "revert-layer") return parentPx;
  // A size in unknown units may be too small.
  return FONT_SIZES[value] ?? toPx(value, { fontPx: parentPx, percentPx: parentPx, windowPx }) ?? 0;
}

function computeLineHeight(value: string, parent: ComputedStyle["lineHeight"], context: LengthContext) {
  if (value === "" || value === "inherit" || value === "unset") return parent;
  if (isUnresolved(value)) return { px: 0 };
  if (/^[\d.]+$/.test(value)) return { number: Number(value) };
  const px = toPx(value, { ...context, percentPx: context.fontPx });
  return px === null ? null : { px };
}

function computeOpacity(value: string): number {
  if (value === "" || /^(?:initial|unset|inherit)$/.test(value)) return 1;
  const number = Number.parseFloat(value) * (value.endsWith("%") ? 0.01 : 1);
  return Number.isNaN(number) ? 0 : Math.min(1, Math.max(0, number));
}

function computeInvisible(value: string, parent: boolean): boolean {
  if (value === "visible" || value === "initial") return false;
  return value === "hidden" || value === "collapse" || parent;
}

/** Null: unknown. */
function computeColor(value: string, parent: Color | null): Color | null {
  if (value === "" || value === "inherit" || value === "unset" || value === "currentcolor") return parent;
  if (value === "initial") return BLACK;
  return parseColor(value, parent ?? BLACK);
}

/** Undefined: the text has its `color`. */
function computeFill(value: string, parent: Color | null | undefined, color: Color | null) {
  if (value === "" || value === "inherit" || value === "unset") return parent;
  return value === "initial" || value === "currentcolor" ? undefined : parseColor(value, color ?? BLACK);
}

/** Words of a gradient that are parsed as colours, for each element. */
const MAX_STOPS = 24;
const COLOR_STOP = /#[\da-f]{3,8}\b|(?:rgb|hsl|hwb|lab|lch|oklab|oklch)a?\([^()]*\)|\b[a-z]{3,20}\b/g;

/** Colours that can be behind the text. An image may not load, so what is below it can be visible as well. */
function computeBehind(get: Get, below: readonly Color[], current: Color): readonly Color[] {
  const value = get("background-color");
  const color = value === "" || value === "initial" || value === "unset" ? null : parseColor(value, current);
  const base = color === null || color.alpha === 0 ? below : below.map((one) => blend(color, one));
  const image = get("background-image");
  if (!image.includes("gradient(")) return base;
  const stops = (image.match(COLOR_STOP) ?? [])
    .slice(0, MAX_STOPS)
    .map((stop) => parseColor(stop, current))
    .filter((stop) => stop !== null);
  // Of a gradient, only the colours at its ends are compared.
  return stops.length === 0 ? base : stops.slice(0, 8).map((stop) => blend(stop, base[0] ?? WHITE));
}

/** Returns true if text directly in an element of this style is hidden. */
export function hidesText(style: ComputedStyle): boolean {
  if (style.isRemoved || style.isInvisible || style.opacity < MIN_OPACITY || style.fontPx < MIN_FONT_PX) return true;
  if (style.isOverridden) return true;
  const { lineHeight, fontPx } = style;
  const linePx = lineHeight === null ? fontPx : "px" in lineHeight ? lineHeight.px : lineHeight.number * fontPx;
  if (linePx < MIN_LINE_PX || linePx > MAX_FAR_PX) return true;
  // Text is in the middle of its line.
  if (style.clipPx !== null && (linePx + fontPx) / 2 > style.clipPx * 1.1) return true;
  if (style.indentPx < -MAX_SHIFT_PX || style.indentPx > MAX_FAR_PX) return true;
  if ([style.leftPx, style.topPx].some((px) => px > MAX_FAR_PX || px < -MAX_SHIFT_PX)) return true;
  const color = style.fill === undefined ? style.color : style.fill;
  return color === null || style.behind.some((behind) => isIllegible(color, behind));
}
