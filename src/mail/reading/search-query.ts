/** Translation of a user's search into a PostgreSQL text search query. */

/** Bounds the work: a phrase of thousands of words occupies the database for minutes. */
const MAX_WORDS = 16;
const MAX_CHARS = 500;

/**
 * Returns a `tsquery` (PostgreSQL manual, section 12.3.2). Every word must be a prefix of a word in the message; `"quoted
 * words"` must occur as a phrase, and `-word` must not occur. Null when there are no words. Words after the first 16 are ignored.
 */
export function buildSearchQuery(typed: string): string | null {
  let words = 0;
  const terms = [...typed.slice(0, MAX_CHARS).matchAll(/(-?)(?:"([^"]*)"|(\S+))/gu)].flatMap(
    ([, minus = "", phrase, word]) => {
      const text = phrase ?? word ?? "";
      // A term without letters or digits would become an empty operand, which is a syntax error.
      words += text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
      if (!/[\p{L}\p{N}]/u.test(text) || words > MAX_WORDS) return [];
      const operand = `'${text.replaceAll(/['\\]/g, "$&$&")}'${phrase === undefined ? ":*" : ""}`;
      return [minus === "" ? operand : `!${operand}`];
    },
  );
  return terms.length === 0 ? null : terms.join(" & ");
}
