/** Products most similar to an unknown sku. */
import { distance } from "fastest-levenshtein";
import type { NearestProduct } from "../errors.ts";

export interface Candidate extends Omit<NearestProduct, "score"> {
  readonly merchantSku: string | null;
}

const MAX_RESULTS = 5;
/** Number of characters compared, because the edit distance is quadratic in the length. */
const COMPARED_CHARACTERS = 120;

/** Returns the best matches by sku or title, best first. */
export function findNearest(requested: string, candidates: readonly Candidate[]): NearestProduct[] {
  return candidates
    .map(({ merchantSku, ...product }) => {
      const names = [product.sku, merchantSku ?? "", `${product.title} ${product.variantTitle ?? ""}`];
      return { ...product, score: Math.max(...names.map((name) => similarity(requested, name))) };
    })
    .toSorted((one, other) => other.score - one.score)
    .slice(0, MAX_RESULTS);
}

/** Returns the similarity of two texts from 0 to 1, rounded to two decimals. Ignores case. */
function similarity(one: string, other: string): number {
  const [a, b] = [one, other].map((text) => text.toLowerCase().trim().slice(0, COMPARED_CHARACTERS)) as [
    string,
    string,
  ];
  const longest = Math.max(a.length, b.length);
  return longest === 0 ? 0 : Math.round((1 - distance(a, b) / longest) * 100) / 100;
}
