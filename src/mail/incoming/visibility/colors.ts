/** Colours of text and of what is behind it. */
import { converter, parse, type Rgb, wcagLuminance } from "culori";

/** sRGB from 0 to 1. */
export interface Color {
  readonly r: number;
  readonly g: number;
  readonly b: number;
  readonly alpha: number;
}

export const WHITE: Color = { r: 1, g: 1, b: 1, alpha: 1 };
export const BLACK: Color = { r: 0, g: 0, b: 0, alpha: 1 };

/** Below this ratio (WCAG 2.2), text is considered invisible. Light grey on white, as of footers, is above. */
const MIN_CONTRAST = 1.25;
const toRgb = converter("rgb");
const SYSTEM: Readonly<Record<string, Color>> = {
  canvas: WHITE,
  window: WHITE,
  canvastext: BLACK,
  windowtext: BLACK,
};

/** Parses a colour; null when it is unknown. */
export function parseColor(value: string, current: Color): Color | null {
  if (value === "currentcolor") return current;
  const system = SYSTEM[value];
  if (system) return system;
  const rgb: Rgb | undefined = toRgb(parse(value));
  if (!rgb) return null;
  const clamp = (channel: number) => Math.min(1, Math.max(0, channel));
  return { r: clamp(rgb.r), g: clamp(rgb.g), b: clamp(rgb.b), alpha: clamp(rgb.alpha ?? 1) };
}

/** Returns the colour that results from `above` over the opaque `below`. */
export function blend(above: Color, below: Color): Color {
  const mix = (one: number, other: number) => one * above.alpha + other * (1 - above.alpha);
  return { r: mix(above.r, below.r), g: mix(above.g, below.g), b: mix(above.b, below.b), alpha: 1 };
}

/** Returns true if text of a colour cannot be read on an opaque background. */
export function isIllegible(text: Color, behind: Color): boolean {
  const [one, other] = [luminance(blend(text, behind)), luminance(behind)];
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05) < MIN_CONTRAST;
}

function luminance({ r, g, b }: Color): number {
  return wcagLuminance({ mode: "rgb", r, g, b });
}
