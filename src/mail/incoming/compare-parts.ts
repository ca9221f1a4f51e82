/** Compares the plain text of a message with the visible text of its HTML. A reader sees only one of the two. */

const URL_TEXT = /[[(<]?\b(?:https?:\/\/|mailto:|tel:)[^\s\])>]+[\])>]?/giu;
const NOT_WORDS = /[^\p{L}\p{N}]+/gu;

export interface Comparison {
  /** Whether both have the same words in the same order. */
  readonly isSame: boolean;
  /** Lines of the plain text whose words the HTML does not show. */
  readonly difference: string;
}

/**
 * Compares words. White space, punctuation and URLs are ignored.
 * @param alternatives texts of images, which plain text can contain
 */
export function compareParts(plain: string, visible: string, alternatives: readonly string[]): Comparison {
  const shown = compact(visible);
  const isSame = compact(plain) === shown;
  const images = new Set(alternatives.map(compact));
  const difference = isSame
    ? ""
    : plain
        .split("\n")
        .filter((line) => {
          const words = compact(line);
          return words !== "" && !shown.includes(words) && !images.has(words.replace(/^image/, ""));
        })
        .map((line) => line.trim())
        .join("\n");
  return { isSame, difference };
}

function compact(text: string): string {
  return text.replace(URL_TEXT, " ").normalize("NFKC").toLowerCase().replace(NOT_WORDS, "");
}
