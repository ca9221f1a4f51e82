/** HTML attributes and elements with a style of their own (HTML Standard, section 15). */
import type { Element } from "domhandler";
import type { Declaration } from "./declarations.ts";

const declare = (property: string, value: string): Declaration => ({
  ...{ property, value, isImportant: false, isDoubtful: false },
});

/** Sizes of `<font size>`. */
const FONT_SIZES = ["10px", "13px", "16px", "18px", "24px", "32px", "48px"];

const DEFAULTS: Readonly<Record<string, readonly Declaration[]>> = {
  mark: [declare("background-color", "yellow"), declare("color", "black")],
  button: [declare("background-color", "#efefef"), declare("color", "black"), declare("font-size", "13.3px")],
  small: [declare("font-size", "smaller")],
  big: [declare("font-size", "larger")],
  sub: [declare("font-size", "smaller")],
  sup: [declare("font-size", "smaller")],
  h1: [declare("font-size", "2em")],
  h2: [declare("font-size", "1.5em")],
};

/** Returns the declarations of an element's attributes and of the browser's style sheet, in ascending precedence. */
export function getPresentationalHints({ name, attribs }: Element): Declaration[] {
  const found = [...(DEFAULTS[name] ?? [])];
  if (name === "a" && attribs["href"] !== undefined) found.push(declare("color", "#0000ee"));
  if (attribs["hidden"] !== undefined || attribs["popover"] !== undefined) found.push(declare("display", "none"));
  if (name === "dialog" && attribs["open"] === undefined) found.push(declare("display", "none"));
  const color = name === "font" ? attribs["color"] : name === "body" ? attribs["text"] : undefined;
  if (color !== undefined) found.push(declare("color", toLegacyColor(color)));
  const background = attribs["bgcolor"];
  if (background !== undefined) found.push(declare("background-color", toLegacyColor(background)));
  if (attribs["background"] !== undefined) found.push(declare("background-image", "url(x)"));
  const size = name === "font" ? Number.parseInt(attribs["size"] ?? "", 10) : Number.NaN;
  if (!Number.isNaN(size)) {
    const at = /^\s*[+-]/.test(attribs["size"] ?? "") ? size + 3 : size;
    found.push(declare("font-size", FONT_SIZES[Math.min(7, Math.max(1, at)) - 1] ?? "16px"));
  }
  if (name === "bdo" && attribs["dir"] !== undefined) found.push(declare("unicode-bidi", "bidi-override"));
  if (attribs["dir"] !== undefined) found.push(declare("direction", attribs["dir"].toLowerCase()));
  return found;
}

/** Parses a legacy colour value (HTML Standard, section 2.3.6). */
function toLegacyColor(text: string): string {
  const value = text.trim().toLowerCase();
  if (value === "" || /^[a-z]+$/.test(value) || /^#(?:[\da-f]{3}|[\da-f]{6})$/.test(value)) return value;
  let digits = value
    .replace(/^#/, "")
    .slice(0, 128)
    .replace(/[^\da-f]/g, "0");
  while (digits.length === 0 || digits.length % 3 !== 0) digits += "0";
  const length = digits.length / 3;
  const parts = [0, 1, 2].map((at) => digits.slice(at * length, (at + 1) * length).slice(-8));
  const isLong = parts.some((part) => part.length > 2);
  return `#${parts.map((part) => (isLong ? part.slice(0, 2) : part).padStart(2, "0")).join("")}`;
}
