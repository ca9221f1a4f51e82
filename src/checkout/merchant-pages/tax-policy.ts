/** Determines from a merchant's pages whether its prices include tax. */
import { isTaxIncluded } from "./offers.ts";
import type { PageFacts } from "./read-page.ts";

/** Precedes `INCLUDED`, which matches the same words. */
const NOT_INCLUDED =
  /\b(?:tax(?:es)?|vat|gst)\b[^.!?\n]{0,20}\b(?:not|never)\b[^.!?\n]{0,10}\bincl|(?:\bnot|n't) incl\w*[^.!?\n]{0,20}\b(?:tax(?:es)?|vat|gst)\b|\bex[ck]l\w*\.?[^.!?\n]{0,12}(?:mwst|ust|steuer|btw)/i;
// Matches within one sentence, because the next sentence may be about delivery.
const INCLUDED =
  /\b(?:tax(?:es)?|vat|gst)\b[^.!?\n]{0,30}\bincl|\bincl(?:uding|udes|\.|usive(?: of)?)?\s*(?:all )?(?:sales )?(?:tax|vat|gst)\b|inkl(?:\.|usive)?[^.!?\n]{0,12}(?:mwst|ust|steuer)|\bttc\b|iva incl|btw incl|incl(?:\.|usief)?\s*btw|税込/i;
const ADDED =
  /\b(?:tax(?:es)?|vat|gst)\b[^.!?\n]{0,60}(?:added|calculated|extra|not included)|\b(?:excl(?:uding|\.|usive(?: of)?)?|plus|before)\s*(?:sales )?(?:tax|vat|gst)\b|zzgl\.?[^.!?\n]{0,12}(?:mwst|ust|steuer)|\bht\b hors taxes|iva no incl|税抜|税別/i;

/** Returns the policy that structured data state; otherwise that of the first text that states one. */
export function taxPolicyOf(pages: readonly PageFacts[], texts: readonly string[]): "included" | "added" | "unknown" {
  const stated = isTaxIncluded(pages.flatMap(({ linkedData }) => linkedData));
  if (stated !== null) return stated ? "included" : "added";
  for (const text of texts) {
    if (NOT_INCLUDED.test(text)) return "added";
    if (INCLUDED.test(text)) return "included";
    if (ADDED.test(text)) return "added";
  }
  return "unknown";
}
