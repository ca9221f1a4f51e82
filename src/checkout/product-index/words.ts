/** Words of products and queries, folded alike: without accents and case, plurals as singulars, CJK text as pairs of characters. */

/** Maximum number of distinct words indexed per product, so that a description does not bloat the index. */
const MAX_WORDS = 200;
const MAX_WORD_LENGTH = 40;
const MAX_TEXT_LENGTH = 4_000;
/** Maximum number of words of a query that are searched. */
const MAX_QUERY_WORDS = 12;

/** Characters that Unicode does not decompose. */
const BASE_FORMS: Readonly<Record<string, string>> = {
  ...{ ß: "ss", æ: "ae", œ: "oe", ø: "o", đ: "d", ð: "d", þ: "th", ł: "l", ħ: "h", ı: "i", ŋ: "n", ĸ: "k" },
};
const UNDECOMPOSED = new RegExp(`[${Object.keys(BASE_FORMS).join("")}]`, "g");
/** Scripts without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}ー]/u;
const RUN = new RegExp(`${UNSPACED.source}+|(?:(?!${UNSPACED.source})[\\p{L}\\p{N}])+`, "gu");
/** Words that a query may contain but that say nothing about a product. */
const STOP_WORDS = new Set([
  ..."a an and any are as at be buy by for from i in is it me".split(" "),
  ..."my of on or please some that the this to want with".split(" "),
]);

/** Lexemes of a product's search column. */
export interface ProductWords {
  /** `=word` for words of short texts, `word` for all. */
  readonly lexemes: readonly string[];
  /** Words of short texts by which queries are corrected. */
  readonly vocabulary: readonly string[];
}

/**
 * Returns the words of a product.
 * @param product.short the title, types, tags and variants; a match of these precedes one of the vendor or the description
 */
export function readProductWords(product: {
  readonly short: readonly (string | null)[];
  readonly long: readonly (string | null)[];
}): ProductWords {
  const short = new Set(product.short.flatMap((text) => readWords(text ?? "")).slice(0, MAX_WORDS));
  const all = new Set([...short, ...product.long.flatMap((text) => readWords(text ?? ""))].slice(0, MAX_WORDS));
  return {
    lexemes: [...[...short].map((word) => `=${word}`), ...all],
    vocabulary: [...short].filter((word) => word.length > 2 && /^\p{L}+$/u.test(word) && !UNSPACED.test(word)),
  };
}

/** Returns the distinct words of a query, without words such as "the" unless there are no others. */
export function readQueryWords(query: string): string[] {
  const words = [...new Set(readWords(query, true))];
  const distinctive = words.filter((word) => !STOP_WORDS.has(word));
  return (distinctive.length > 0 ? distinctive : words).slice(0, MAX_QUERY_WORDS);
}

/** Returns the folded words of a text in order. Runs of CJK text are split into pairs, and single characters in products. */
export function readWords(text: string, isQuery = false): string[] {
  const folded = fold(text.slice(0, MAX_TEXT_LENGTH));
  return [...folded.matchAll(RUN)].flatMap(([run]) =>
    UNSPACED.test(run) ? splitUnspaced(run, isQuery) : [toSingular(run.slice(0, MAX_WORD_LENGTH))],
  );
}

function fold(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu, "")
    .replace(/(?<=\p{L})['’](?=s\b)/giu, "")
    .normalize("NFC")
    .toLowerCase()
    .replace(UNDECOMPOSED, (character) => BASE_FORMS[character] ?? character);
}

function splitUnspaced(run: string, isQuery: boolean): string[] {
  const characters = [...run];
  const pairs = characters.slice(1).map((character, at) => `${characters[at]}${character}`);
  return isQuery && pairs.length > 0 ? pairs : [...characters, ...pairs];
}

/** Folds English plurals, so that "mugs" finds "mug". Wrong singulars are harmless, because queries are folded alike. */
function toSingular(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word) || /(?:ss|us|is)$/.test(word)) return word;
  if (word.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:x|ch|sh|ss|zz)es$/.test(word)) return word.slice(0, -2);
  return word.endsWith("s") ? word.slice(0, -1) : word;
}

/** Returns the price band of an available product: two bands for each doubling. */
export function priceBandOf(priceMinor: number): number {
  return Math.max(0, Math.floor(2 * Math.log2(Math.max(1, priceMinor))));
}

/** Returns the lexeme of a price band. */
export function bandLexeme(currency: string, band: number): string {
  return `$${currency}${String(band).padStart(2, "0")}`;
}
