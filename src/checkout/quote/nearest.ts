/** Products that match the words of an unknown sku best. */
import type { NearestProduct } from "../errors.ts";
import { readQueryWords, readWords } from "../product-index/words.ts";
import { compareWords } from "./compare-words.ts";

export interface Candidate extends Omit<NearestProduct, "score"> {
  readonly merchantSku: string | null;
}

const MAX_RESULTS = 5;
/** Share of a score for how few other words the product has, so that of two matches the closer one is first. */
const BREVITY_SHARE = 0.15;
/** Weight of a word that no product has, compared with the most distinctive word. It says little, such as "one". */
const UNKNOWN_WEIGHT = 0.25;

/**
 * Returns the products that share the most distinctive words with the request, best first. A word that few products have
 * counts more. Beginnings and misspellings of a word count less than the word.
 */
export function findNearest(requested: string, candidates: readonly Candidate[]): NearestProduct[] {
  const words = readQueryWords(requested);
  const compared = candidates.map((product) => {
    const own = [...new Set(readWords([product.title, product.variantTitle, product.merchantSku].join(" ")))];
    return { product, own, matches: words.map((word) => Math.max(0, ...own.map((one) => compareWords(word, one)))) };
  });
  const weights = weighWords(
    compared.map(({ matches }) => matches),
    words.length,
  );
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return compared
    .map(({ product: { merchantSku, ...product }, own, matches }) => {
      const isSku = [product.sku, merchantSku].some((sku) => sku?.toLowerCase() === requested.trim().toLowerCase());
      const matched = matches.reduce((sum, match, at) => sum + match * (weights[at] ?? 0), 0);
      const brevity = own.length > 0 ? Math.min(1, matches.filter((match) => match > 0).length / own.length) : 0;
      const score = total > 0 ? (1 - BREVITY_SHARE) * (matched / total) + BREVITY_SHARE * brevity : 0;
      return { ...product, score: isSku ? 1 : Math.round(score * 100) / 100 };
    })
    .toSorted((one, other) => other.score - one.score)
    .slice(0, MAX_RESULTS);
}

/** Returns the weight of each word: the inverse frequency among the products. */
function weighWords(matches: readonly (readonly number[])[], wordCount: number): number[] {
  const frequencies = Array.from({ length: wordCount }, (_, at) => matches.filter((one) => (one[at] ?? 0) > 0).length);
  const weights = frequencies.map((count) => (count > 0 ? Math.log(1 + matches.length / count) : 0));
  const unknown = UNKNOWN_WEIGHT * Math.max(...weights, 0);
  return weights.map((weight) => (weight > 0 ? weight : unknown));
}
