/** Alternatives of a query's word: indexed words that begin with it, or that a typing error explains. */
import type { Database, Statement } from "../../platform/database/connection.ts";

const MAX_COMPLETIONS = 20;
const MAX_CORRECTIONS = 6;
/** Maximum number of words compared with one word of the query. */
const MAX_COMPARED = 2_000;
/** Shorter words share too few trigrams with their misspellings. */
const MIN_TRIGRAM_LENGTH = 6;

const COMPLETE: Statement = {
  name: "complete-product-word",
  text: `SELECT word FROM product_words WHERE word LIKE $1 || '%' ORDER BY length(word), word LIMIT ${MAX_COMPLETIONS}`,
};
const SIMILAR: Statement = {
  name: "similar-product-words",
  text: "SELECT word FROM product_words WHERE word % $1 ORDER BY similarity(word, $1) DESC, word LIMIT 100",
};
const SAME_BEGINNING: Statement = {
  name: "product-words-of-length",
  text: `SELECT word FROM product_words WHERE word LIKE left($1, 1) || '%' AND abs(length(word) - length($1)) <= 1
    ORDER BY length(word), word LIMIT ${MAX_COMPARED}`,
};

/** Returns indexed words that the word may stand for, the nearest first, without the word itself. Words contain letters and digits only. */
export async function findNearWords(db: Database, word: string): Promise<string[]> {
  const completions = await db.query<{ word: string }>(COMPLETE, [word]);
  const maxEdits = maxEditsOf(word);
  const nearby =
    maxEdits === 0
      ? []
      : await db.query<{ word: string }>(word.length < MIN_TRIGRAM_LENGTH ? SAME_BEGINNING : SIMILAR, [word]);
  const corrections = nearby
    .map((one) => ({ word: one.word, edits: countEdits(word, one.word) }))
    .filter(({ edits }) => edits > 0 && edits <= maxEdits)
    .toSorted((one, other) => one.edits - other.edits)
    .slice(0, MAX_CORRECTIONS);
  const near = new Set([...completions, ...corrections].map((one) => one.word));
  near.delete(word);
  return [...near];
}

function maxEditsOf(word: string): number {
  if (word.length < 3 || !/^\p{L}+$/u.test(word)) return 0;
  return word.length < MIN_TRIGRAM_LENGTH ? 1 : 2;
}

/** Returns the optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours. */
export function countEdits(one: string, other: string): number {
  let [before, previous] = [[] as number[], Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= one.length; i++) {
    const current = [i];
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1];
      let edits = Math.min(
        (previous[j] ?? 0) + 1,
        (current[j - 1] ?? 0) + 1,
        (previous[j - 1] ?? 0) + (isSame ? 0 : 1),
      );
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      if (isSwap) edits = Math.min(edits, (before[j - 2] ?? 0) + 1);
      current.push(edits);
    }
    [before, previous] = [previous, current];
  }
  return previous[other.length] ?? 0;
}
