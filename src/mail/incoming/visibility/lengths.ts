/** CSS lengths in pixels. */

/** What a relative length refers to. */
export interface LengthContext {
  /** For `em`, in pixels. */
  readonly fontPx: number;
  /** For `%`; null when layout would have to determine it. */
  readonly percentPx: number | null;
  /** Width of the window, for `vw`. */
  readonly windowPx: number;
}

const WINDOW_HEIGHT_PX = 800;
const ROOT_PX = 16;
const UNITS: Readonly<Record<string, number>> = {
  px: 1,
  pt: 4 / 3,
  pc: 16,
  in: 96,
  cm: 37.8,
  mm: 3.78,
  q: 0.945,
  "": 1,
};
const ONE = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(%|[a-z]*)$/;
const ANY = /[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?(?:%|[a-z]+)?/g;

/** Returns a length in pixels. Null for keywords and unknown units. Of a function, the smallest length that it can have. */
export function toPx(value: string, context: LengthContext): number | null {
  if (value.includes("(")) {
    if (/[*/]|\s-\s/.test(value)) return 0;
    const lengths = (value.match(ANY) ?? []).map((part) => toPx(part, context)).filter((px) => px !== null);
    return lengths.length === 0 ? null : Math.min(...lengths);
  }
  const [, digits, unit = ""] = ONE.exec(value) ?? [];
  if (digits === undefined) return null;
  const number = Number(digits);
  if (unit === "%") return context.percentPx === null ? null : (number / 100) * context.percentPx;
  const factor = UNITS[unit] ?? relativeUnit(unit, context);
  return factor === null ? null : number * factor;
}

function relativeUnit(unit: string, { fontPx, windowPx }: LengthContext): number | null {
  if (unit === "em") return fontPx;
  if (unit === "rem" || unit === "rlh") return ROOT_PX;
  if (unit === "ex" || unit === "ch") return fontPx / 2;
  if (unit === "lh") return fontPx * 1.2;
  if (/^[sld]?v[wi]$/.test(unit)) return windowPx / 100;
  if (/^[sld]?v(?:h|b|min|max)$/.test(unit)) return WINDOW_HEIGHT_PX / 100;
  return null;
}
