/** Whether browsers accept a CSS declaration. They ignore an invalid one, so an earlier one that hides text still applies. */
import { lexer } from "css-tree";

/** `unknown`: it depends on the browser, or on the document's mode. */
export type Validity = "valid" | "invalid" | "unknown";

/** Longer values, and deeper ones, are not matched: the time for matching grows with them. */
const MAX_VALUE_LENGTH = 80;
const MAX_NESTING = 2;
/** Functions and prefixed keywords can be newer than the syntax known here. */
const MAY_BE_NEWER = /\(|(?:^|[\s,])-[a-z]/;
/** In quirks mode, lengths need no unit and colours no `#` (Quirks Mode Standard, section 3). */
const QUIRKY = /^(?:[+-]?[\d.]+|[\da-f]{3}|[\da-f]{6})(?:\s+[+-]?[\d.]+(?:[a-z]+|%)?)*$/;

/** Declarations repeat within and between messages. Cleared when full. */
const checked = new Map<string, Validity>();
const MAX_CHECKED = 20_000;

/** Declarations of the current message. It counts all, also known ones, so that the result does not depend on earlier messages. */
const ofMessage = new Set<string>();
/** Matching needs up to a millisecond, and no client writes so many different declarations. */
const MAX_OF_MESSAGE = 3_000;

/** Must be called before the first check of a message. */
export function beginMessage(): void {
  ofMessage.clear();
}

/**
 * Checks a value in lower case, without `!important`. Of an unknown property, every value is valid. After 3,000 different declarations of
 * a message, the validity of others is unknown.
 */
export function checkValue(property: string, value: string): Validity {
  const key = `${property}:${value}`;
  if (ofMessage.size >= MAX_OF_MESSAGE && !ofMessage.has(key)) return "unknown";
  ofMessage.add(key);
  const known = checked.get(key);
  if (known !== undefined) return known;
  const validity = match(property, value);
  if (checked.size >= MAX_CHECKED) checked.clear();
  checked.set(key, validity);
  return validity;
}

function match(property: string, value: string): Validity {
  // Valid until the variable is replaced (CSS Custom Properties Level 1, section 3).
  if (/\b(?:var|env|attr)\(/.test(value)) return "valid";
  if (value.length > MAX_VALUE_LENGTH || measureNesting(value) > MAX_NESTING) return "unknown";
  const { error } = lexer.matchProperty(property, value);
  if (error === null || error.name !== "SyntaxMatchError") return "valid";
  return MAY_BE_NEWER.test(value) || QUIRKY.test(value) ? "unknown" : "invalid";
}

function measureNesting(value: string): number {
  let [depth, deepest] = [0, 0];
  for (const character of value) {
    depth += character === "(" ? 1 : character === ")" ? -1 : 0;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}
