/** What a person types to find mail, as PostgreSQL's text search takes it. */

/** More words than this narrow nothing down any more. */
const MAX_WORDS = 16;

/**
 * A `tsquery` (PostgreSQL, section 12.3.2) that holds where every word begins a word of the message; `"quoted words"` stand
 * together, and `-word` must not be there. Null when nothing is looked for.
 */
export function searchQuery(typed: string): string | null {
  const terms = [...typed.matchAll(/(-?)(?:"([^"]*)"|(\S+))/gu)].flatMap(([, minus = "", phrase, word]) => {
    const text = phrase ?? word ?? "";
    // Without a letter or digit there is nothing to find: an empty operand would be a syntax error.
    if (!/[\p{L}\p{N}]/u.test(text)) return [];
    const operand = `'${text.replaceAll(/['\\]/g, "$&$&")}'${phrase === undefined ? ":*" : ""}`;
    return [minus === "" ? operand : `!${operand}`];
  });
  return terms.length === 0 ? null : terms.slice(0, MAX_WORDS).join(" & ");
}
