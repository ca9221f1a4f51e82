/** Characters that a reader does not see, or sees in another order, in text that a program reads. */

/** Unicode tags (U+E0020 to U+E007E) stand for ASCII characters. Only emoji flags use them. */
const TAGS = /[\u{e0000}-\u{e007f}]+/gu;
const FLAG =
  /(\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f})/u;
/** Text in reversed order: a reader sees other words than a program (Unicode Standard Annex 9, section 2.2). */
const OVERRIDDEN = /[\u202d\u202e]([^\u202c\n]*)\u202c?/gu;
/** Zero-width and filler characters without a use in text. */
const ZERO_WIDTH =
  /\u034f|\u17b4|\u17b5|\u180b|\u180c|\u180d|\u180f|[\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2060-\u2065\u206a-\u206f\u2800\u3164\ufeff\uffa0\ufff0-\ufffb]|[\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}]/gu;
/** Joiners, which Arabic, Indic scripts and emoji need. */
const JOINER = /[\u200c\u200d]/gu;
/** Variation selectors. A sequence of several can encode any data. */
const VARIATIONS =
  /(?<=(\p{Script=Han}|\p{Emoji}|[\u2000-\u2bff\u3000-\u303f]|\p{Script=Mongolian})?)([\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}])+/gu;
const EMBEDDINGS = /[\u202a-\u202c\u2066-\u2069]/g;

export interface VisibleCharacters {
  readonly text: string;
  /** What tag characters and reversed text say; empty when there is none. */
  readonly hiddenText: string;
  /** Whether characters were removed that can carry a message. Single soft hyphens and marks of direction are common. */
  readonly isSuspicious: boolean;
}

/** Returns the text without invisible characters. */
export function separateInvisibleCharacters(text: string): VisibleCharacters {
  if (!MAY_BE_INVISIBLE.test(text)) return { text, hiddenText: "", isSuspicious: false };
  const hidden: string[] = [];
  let suspicious = 0;
  // Odd parts are flags, which remain.
  const untagged = text
    .split(FLAG)
    .map((part, at) =>
      at % 2 === 1
        ? part
        : part.replace(TAGS, (tags) => {
            hidden.push(decodeTags(tags));
            return "";
          }),
    )
    .join("");
  const ordered = untagged.replace(OVERRIDDEN, (_run, inner: string) => {
    hidden.push(inner);
    return "";
  });
  const visible = ordered
    .replace(ZERO_WIDTH, (character) => {
      suspicious += COMMON.includes(character) ? 0 : 1;
      return "";
    })
    .replace(JOINER, (joiner, at: number, whole: string) => (isJoined(whole, at) ? joiner : ""))
    .replace(VARIATIONS, (run, base: string | undefined) => {
      const [first = ""] = run;
      suspicious += [...run].length > 1 ? 1 : 0;
      return base === undefined ? "" : first;
    })
    .replace(EMBEDDINGS, "");
  return {
    text: visible,
    hiddenText: hidden.filter((one) => one.trim() !== "").join("\n"),
    isSuspicious: suspicious > MAX_COMMON || hidden.length > 0,
  };
}

const MAY_BE_INVISIBLE =
  /\u034f|\u17b4|\u17b5|\u180b|\u180c|\u180d|\u180f|[\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff0-\ufffb]|\p{Variation_Selector}|[\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e01ef}]/u;
/** Soft hyphen, zero-width space, marks of direction and byte order mark. */
const COMMON = "\u00ad\u200b\u200e\u200f\u061c\ufeff";
/** Newsletters pad their preview with some invisible characters. */
const MAX_COMMON = 8;

/** Characters of scripts that join, marks, and the parts of emoji. */
const JOINS = /\p{M}|\p{Lo}|\p{Extended_Pictographic}|\ufe0f|\p{Emoji_Modifier}|[\u2640\u2642\u2695\u2696\u2708]/u;

function isJoined(text: string, at: number): boolean {
  const before = [...text.slice(Math.max(0, at - 2), at)].at(-1) ?? "";
  const after = [...text.slice(at + 1, at + 3)][0] ?? "";
  return JOINS.test(before) && JOINS.test(after);
}

function decodeTags(tags: string): string {
  return [...tags]
    .map((tag) => (tag.codePointAt(0) ?? 0) - 0xe0000)
    .filter((code) => code >= 0x20 && code < 0x7f)
    .map((code) => String.fromCharCode(code))
    .join("");
}
