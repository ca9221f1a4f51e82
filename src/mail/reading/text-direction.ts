/** The direction in which text is read. */

export type TextDirection = "ltr" | "rtl";

/** Scripts from right to left. */
const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}\p{Script=Hanifi_Rohingya}]/u;
const ALPHABETIC = /\p{L}/u;

/** Returns the direction of the first alphabetic character (Unicode Standard Annex 9, rules P2 and P3). @param texts the first with one counts */
export function findTextDirection(texts: readonly string[]): TextDirection {
  for (const text of texts) {
    const [character] = ALPHABETIC.exec(text) ?? [];
    if (character !== undefined) return RIGHT_TO_LEFT.test(character) ? "rtl" : "ltr";
  }
  return "ltr";
}
