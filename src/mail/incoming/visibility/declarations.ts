/** CSS declarations that can hide text, with shorthands reduced to the longhands that `hidden-style.ts` reads. */
import { ident, parse, walk } from "css-tree";
import { beginMessage, checkValue } from "./validity.ts";

export interface Declaration {
  readonly property: string;
  /** In lower case, without `!important`. */
  readonly value: string;
  readonly isImportant: boolean;
  /** Whether some browsers may ignore it. */
  readonly isDoubtful: boolean;
}

/** Longhands whose values can hide text. All other properties are ignored. */
const TRACKED = new Set(
  [
    "all animation animation-name background background-clip background-color background-image bottom clip clip-path color",
    "content-visibility direction display filter font font-size height left line-height margin margin-left",
    "margin-right margin-top mask mask-image max-height max-width mix-blend-mode mso-hide opacity overflow position right",
    "rotate scale text-indent text-security top transform translate unicode-bidi visibility width z-index zoom",
    "text-fill-color font-size-adjust content mask-border mask-border-source mask-box-image mask-box-image-source",
    "line-clamp white-space grid-template-rows grid-template-columns flex flex-basis aspect-ratio",
    "padding padding-left padding-top border border-left border-top border-width border-left-width border-top-width",
    "outline outline-width outline-offset",
    "letter-spacing contain container container-type offset offset-path margin-bottom grid-area grid-row grid-column",
  ].flatMap((line) => line.split(" ")),
);

/** Other names of tracked properties. */
const ALIASES: Readonly<Record<string, string>> = {
  "overflow-x": "overflow",
  "overflow-y": "overflow",
  "overflow-block": "overflow",
  "overflow-inline": "overflow",
  "inline-size": "width",
  "block-size": "height",
  "max-inline-size": "max-width",
  "max-block-size": "max-height",
  "inset-inline-start": "left",
  "inset-inline-end": "right",
  "inset-block-start": "top",
  "inset-block-end": "bottom",
  "margin-inline-start": "margin-left",
  "margin-inline": "margin-left",
  "margin-inline-end": "margin-right",
  "margin-block-start": "margin-top",
  "margin-block": "margin-top",
  "margin-block-end": "margin-bottom",
  "padding-inline": "padding-left",
  "padding-inline-start": "padding-left",
  "padding-block": "padding-top",
  "padding-block-start": "padding-top",
  "border-inline-start": "border-left",
  "border-block-start": "border-top",
  "text-wrap": "white-space",
  "text-wrap-mode": "white-space",
};

/** Values of `display` that every browser shows. Another value is invalid in some and reveals nothing. */
const SHOWN_DISPLAY =
  /^(?:block|inline|inline-block|flow-root|flex|inline-flex|grid|inline-grid|contents|list-item|table|inline-table|table-(?:row|cell|caption|row-group|header-group|footer-group)|initial|unset|inherit)$/;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?(?:%|[a-z]+)?$/;
const NUMERIC = new Set(["opacity", "font-size", "line-height", "width", "height", "max-width", "max-height", "zoom"]);
const WIDE = /^(?:inherit|initial|unset)$/;

/** Most elements of a message have one of few styles. Cleared when full, and for each message. */
const parsedStyles = new Map<string, readonly Declaration[]>();
const MAX_PARSED_STYLES = 1_000;

/** Must be called before the styles of a message are parsed. */
export function beginStyles(): void {
  parsedStyles.clear();
  beginMessage();
}

/** Parses the content of a `style` attribute. */
export function parseStyleAttribute(style: string): readonly Declaration[] {
  const known = parsedStyles.get(style);
  if (known) return known;
  const found = parseDeclarations(style);
  if (parsedStyles.size >= MAX_PARSED_STYLES) parsedStyles.clear();
  parsedStyles.set(style, found);
  return found;
}

function parseDeclarations(style: string): Declaration[] {
  const found: Declaration[] = [];
  walk(parse(style, { context: "declarationList", parseValue: false, parseCustomProperty: false }), (node) => {
    if (node.type !== "Declaration") return;
    const text = node.value.type === "Raw" ? node.value.value : "";
    found.push(...expandDeclaration(node.property, text, node.important !== false));
  });
  return found;
}

/** Returns the tracked longhands that a declaration sets; none for other properties. */
export function expandDeclaration(name: string, text: string, isImportant: boolean): Declaration[] {
  const decoded = ident.decode(name);
  if (decoded.startsWith("--"))
    return [{ property: decoded, value: normalizeValue(text), isImportant, isDoubtful: false }];
  const given = decoded.toLowerCase();
  const plain = given.replace(/^-(?:webkit|moz|ms|o)-/, "");
  const property = ALIASES[plain] ?? plain;
  const value = normalizeValue(text);
  if (!(TRACKED.has(property) || property === "inset") || value === "") return [];
  const validity = checkValue(plain, value);
  if (validity === "invalid") return [];
  const isDoubtful = validity === "unknown" || plain !== given;
  const declare = (longhand: string, its: string) => ({ property: longhand, value: its, isImportant, isDoubtful });
  if (property === "inset") {
    const [top = "", right = top, bottom = top, left = right] = splitValue(value);
    return [declare("top", top), declare("right", right), declare("bottom", bottom), declare("left", left)];
  }
  if (property === "margin") {
    const [top = "", right = top, bottom = top, left = right] = splitValue(value);
    return [
      ...[declare("margin-top", top), declare("margin-right", right)],
      ...[declare("margin-bottom", bottom), declare("margin-left", left)],
    ];
  }
  if (property === "background" || property === "font") return expandShorthand(property, value, declare);
  if (property === "container") return [declare("container-type", value.split("/")[1]?.trim() ?? "normal")];
  if (property === "offset") return [declare("offset-path", value)];
  if (property === "animation") return [declare("animation-name", value)];
  if (property === "all") return [declare("color", value === "initial" ? "black" : "inherit")];
  return [declare(property, value)];
}

/** Longer values are rare, except for images that they contain. */
const MAX_VALUE_LENGTH = 2_000;
const DATA_URL = /\burl\(\s*["']?data:[^()]*\)/gi;
/** A reference that is never resolved, which counts as hiding. */
const UNRESOLVED = "var(--)";

/** Returns a value in lower case, except for the names of variables, without comments and escapes. */
function normalizeValue(text: string): string {
  const short = text.length > MAX_VALUE_LENGTH ? text.replace(DATA_URL, "url(x)") : text;
  if (short.length > MAX_VALUE_LENGTH) return UNRESOLVED;
  const uncommented = short.replace(/\/\*.*?(?:\*\/|$)/gs, " ").trim();
  const decoded = uncommented.includes("\\") ? ident.decode(uncommented) : uncommented;
  return decoded.replace(/--[^\s,()]+|[^-]+|-/g, (part) => (part.startsWith("--") ? part : part.toLowerCase()));
}

function expandShorthand(
  property: string,
  value: string,
  declare: (longhand: string, value: string) => Declaration,
): Declaration[] {
  if (value.includes("var(")) return [declare(property === "font" ? "font-size" : "background-color", value)];
  if (property === "font") {
    if (/^(?:inherit|initial|unset|revert|revert-layer)$/.test(value)) return [declare("font-size", value)];
    const parts = splitValue(value.replaceAll("/", " / "));
    const at = parts.findIndex((part) => FONT_SIZE.test(part));
    if (at < 0) return [];
    const lineHeight = parts[at + 1] === "/" ? (parts[at + 2] ?? "") : "normal";
    // A function before the family can be the size or the weight.
    return [
      declare("font-size", parts[at]?.includes("(") ? UNRESOLVED : (parts[at] ?? "")),
      declare("line-height", lineHeight),
    ];
  }
  const images = /(?:url|gradient|image-set|image|cross-fade|element)\(/.test(value);
  const color = splitValue(value.replace(/\//g, " ")).findLast(
    (part) => !/^(?:url|[\w-]*gradient|image)/.test(part) && isColorLike(part),
  );
  return [
    declare("background-image", images ? value : "none"),
    declare("background-color", color ?? "transparent"),
    ...(/\btext\b/.test(value) ? [declare("background-clip", "text")] : []),
  ];
}

/** Of numbers without a unit, only 0 is a size; others are the weight. An angle belongs to the style. */
const FONT_SIZE =
  /^(?:[+-]?(?:0+\.?0*|\.0+)(?:e[+-]?\d+)?|[+-]?[\d.]+(?:e[+-]?\d+)?(?:%|(?!(?:deg|g?rad|turn)$)[a-z]+)|(?:x{1,3}-)?(?:small|large)|medium|smaller|larger|[\w-]+\(.*)$/;

const NOT_COLORS =
  /^(?:none|repeat|repeat-[xy]|no-repeat|round|space|scroll|fixed|local|top|bottom|left|right|center|cover|contain|auto|border-box|padding-box|content-box|text|[+-]?[\d.]+(?:%|[a-z]+)?)$/;

function isColorLike(part: string): boolean {
  return part !== "" && part !== "," && !NOT_COLORS.test(part);
}

/** Splits a value at white space outside of parentheses. */
export function splitValue(value: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let part = "";
  for (const character of value) {
    if (character === "(") depth += 1;
    if (character === ")") depth -= 1;
    if (depth === 0 && /\s/.test(character)) {
      if (part !== "") parts.push(part);
      part = "";
    } else part += character;
  }
  return part === "" ? parts : [...parts, part];
}

/**
 * Returns true if every browser accepts the value. A browser drops an invalid declaration, so one that may be invalid must not
 * override one that hides.
 */
export function isCertain({ property, value, isDoubtful }: Declaration): boolean {
  if (isDoubtful) return false;
  if (/\b(?:var|env|attr)\(/.test(value)) return false;
  if (WIDE.test(value)) return true;
  if (property === "display") return SHOWN_DISPLAY.test(value) || value === "none";
  if (property === "visibility") return /^(?:visible|hidden|collapse)$/.test(value);
  if (property === "position") return /^(?:static|relative|absolute|fixed|sticky)$/.test(value);
  if (property === "overflow")
    return /^(?:visible|hidden|clip|scroll|auto)(?: (?:visible|hidden|clip|scroll|auto))?$/.test(value);
  if (NUMERIC.has(property))
    return (
      NUMBER.test(value) ||
      /^(?:auto|none|normal|(?:xx?-)?(?:small|large)|medium|smaller|larger|calc\(.+\)|clamp\(.+\)|min\(.+\)|max\(.+\))$/.test(
        value,
      )
    );
  return true;
}
