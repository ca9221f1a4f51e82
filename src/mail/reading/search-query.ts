/** What a person types to find mail, as PostgreSQL's text search takes it. */

/** More words than this narrow nothing down any more; thousands in one phrase keep the database busy for minutes. */
const MAX_WORDS = 16;
const MAX_CHARS = 500;

/**
 * A `tsquery` (PostgreSQL, section 12.3.2) that holds where every word begins a word of the message; `"quoted words"` stand
 * together, and `-word` must not be there. Null when nothing is looked for.
 */
export function searchQuery(typed: string): string | null {
  let words = 0;
  const terms = [...typed.slice(0, MAX_CHARS).matchAll(/(-?)(?:"([^"]*)"|(\S+))/gu)].flatMap(
    ([, minus = "", phrase, word]) => {
      const text = phrase ?? word ?? "";
      // Without a letter or digit there is nothing to find: an empty operand would be a syntax error.
      words += text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
      if (!/[\p{L}\p{N}]/u.test(text) || words > MAX_WORDS) return [];
      const operand = `'${text.replaceAll(/['\\]/g, "$&$&")}'${phrase === undefined ? ":*" : ""}`;
      return [minus === "" ? operand : `!${operand}`];
    },
  );
  return terms.length === 0 ? null : terms.join(" & ");
}
