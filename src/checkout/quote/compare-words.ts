import { countEdits } from "../product-index/near-words.ts";

const MIN_PREFIX_LENGTH = 3;
const PREFIX_SCORE = 0.8;
const MISSPELT_SCORE = 0.7;

/** Returns how well a word of the request matches a product's or option's word, from 0 to 1. */
export function compareWords(requested: string, own: string): number {
  if (requested === own) return 1;
  const shorter = Math.min(requested.length, own.length);
  if (shorter < MIN_PREFIX_LENGTH) return 0;
  if (own.startsWith(requested) || requested.startsWith(own)) return PREFIX_SCORE;
  // Numbers and short words that differ in one character are other words.
  const maxEdits = /\d/.test(requested) || shorter < 4 ? 0 : shorter < 7 ? 1 : 2;
  const isWithin = Math.abs(requested.length - own.length) <= maxEdits;
  return maxEdits > 0 && isWithin && countEdits(requested, own) <= maxEdits ? MISSPELT_SCORE : 0;
}
