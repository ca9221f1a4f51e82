/** Cuts numbers of cards out of what is told and kept: whatever passes the check of card numbers, and the card in hand. */

export interface Redacted {
  readonly text: string;
  /** What was cut out: `card_number`, `security_code`. */
  readonly redactions: readonly Redaction[];
}

export type Redaction = "card_number" | "security_code";

export interface Redactor {
  /** From now on these are cut out wherever they stand, however they are divided. */
  hide(card: { readonly number?: string; readonly securityCode?: string | null }): void;
  clean(text: string): Redacted;
  /** Without the check of card numbers: for what may have digits of its own, such as a shop's order number. */
  cleanOfCard(text: string): Redacted;
}

const SHOWN: Readonly<Record<Redaction, string>> = { card_number: "[card number]", security_code: "[security code]" };
/** What stands between digits: blanks, dashes and dots, as they are or in an address. */
const BETWEEN = String.raw`(?:[\s\u00a0\u2000-\u200b\u2010-\u2015\u202f._+-]|%20|%C2%A0|&nbsp;){0,3}`;
/** From 13 digits on, and not part of a word in the way of identifiers. */
const DIGITS = new RegExp(String.raw`\d(?:${BETWEEN}\d){12,}`, "gi");
const SHORTEST = 13;
const LONGEST = 19;

export function createRedactor(): Redactor {
  const numbers: RegExp[] = [];
  const codes: RegExp[] = [];

  function cut(text: string, patterns: readonly RegExp[], what: Redaction, found: Set<Redaction>): string {
    return patterns.reduce(
      (rest, pattern) =>
        rest.replace(pattern, () => {
          found.add(what);
          return SHOWN[what];
        }),
      text,
    );
  }

  function cleanOfCard(text: string): Redacted {
    const found = new Set<Redaction>();
    const withoutNumber = cut(text, numbers, "card_number", found);
    return { text: cut(withoutNumber, codes, "security_code", found), redactions: [...found] };
  }

  return {
    hide({ number, securityCode }) {
      if (number) numbers.push(new RegExp([...number].join(BETWEEN), "gi"));
      if (securityCode) codes.push(new RegExp(String.raw`(?<![\d])${securityCode}(?![\d])`, "g"));
    },
    clean(text) {
      const { text: rest, redactions } = cleanOfCard(text);
      const found = new Set(redactions);
      const cleaned = rest.replace(DIGITS, (run) => {
        if (!holdsCardNumber(run.replaceAll(new RegExp(BETWEEN, "gi"), ""))) return run;
        found.add("card_number");
        return SHOWN.card_number;
      });
      return { text: cleaned, redactions: [...found] };
    },
    cleanOfCard,
  };
}

/** Whether digits are a card's number, or have one among them. */
function holdsCardNumber(digits: string): boolean {
  for (let start = 0; start + SHORTEST <= digits.length; start++) {
    // Those of cards: ISO/IEC 7812, major industries 2 (in part) to 6.
    if (!/[2-6]/.test(digits[start] ?? "")) continue;
    const rest = digits.length - start;
    // Within a longer run only the usual lengths count: by chance one in ten would pass.
    const lengths = digits.length <= LONGEST ? [rest] : [16, 15].filter((length) => length <= rest);
    if (lengths.some((length) => passesLuhn(digits.slice(start, start + length)))) return true;
  }
  return false;
}

/** ISO/IEC 7812-1, annex B. */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits[digits.length - 1 - at]);
    const doubled = at % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

const LONGEST_REASON = 300;

/** What may be logged of an error: the browser's own errors go on to quote pages, headers, and what was typed. */
export function safeReason(error: unknown, redactor?: Redactor): string {
  if (!(error instanceof Error)) return "unknown";
  const firstLine = error.message.split("\n", 1)[0]?.slice(0, LONGEST_REASON) ?? "";
  return `${error.name}: ${redactor?.clean(firstLine).text ?? firstLine}`;
}
