/** Redacts card numbers from reported and stored texts: numbers that pass the Luhn check, and the order's actual card. */

export interface Redacted {
  readonly text: string;
  /** Kinds of redacted data. */
  readonly redactions: readonly Redaction[];
}

export type Redaction = "card_number" | "security_code";

export interface Redactor {
  /** Registers a card. Its number and code are redacted from later texts, regardless of separators. */
  hide(card: { readonly number?: string; readonly securityCode?: string | null }): void;
  clean(text: string): Redacted;
  /** Redacts registered cards only, without the Luhn check. For texts with digits of their own, such as order numbers. */
  cleanOfCard(text: string): Redacted;
}

const REPLACEMENTS: Readonly<Record<Redaction, string>> = {
  card_number: "[card number]",
  security_code: "[security code]",
};
/** Separators between digits: spaces, dashes, dots and their URL or HTML encodings. */
const SEPARATOR = String.raw`(?:[\s\u00a0\u2000-\u200b\u2010-\u2015\u202f._+-]|%20|%C2%A0|&nbsp;){0,3}`;
/** At least 13 digits with optional separators. */
const DIGITS = new RegExp(String.raw`\d(?:${SEPARATOR}\d){12,}`, "gi");
const MIN_DIGITS = 13;
const MAX_DIGITS = 19;

export function createRedactor(): Redactor {
  const numbers: RegExp[] = [];
  const codes: RegExp[] = [];

  function replaceMatches(
    text: string,
    patterns: readonly RegExp[],
    redaction: Redaction,
    found: Set<Redaction>,
  ): string {
    return patterns.reduce(
      (rest, pattern) =>
        rest.replace(pattern, () => {
          found.add(redaction);
          return REPLACEMENTS[redaction];
        }),
      text,
    );
  }

  function cleanOfCard(text: string): Redacted {
    const found = new Set<Redaction>();
    const withoutNumber = replaceMatches(text, numbers, "card_number", found);
    return { text: replaceMatches(withoutNumber, codes, "security_code", found), redactions: [...found] };
  }

  return {
    hide({ number, securityCode }) {
      if (number) numbers.push(new RegExp([...number].join(SEPARATOR), "gi"));
      if (securityCode) codes.push(new RegExp(String.raw`(?<![\d])${securityCode}(?![\d])`, "g"));
    },
    clean(text) {
      const { text: rest, redactions } = cleanOfCard(text);
      const found = new Set(redactions);
      const cleaned = rest.replace(DIGITS, (run) => {
        if (!containsCardNumber(run.replaceAll(new RegExp(SEPARATOR, "gi"), ""))) return run;
        found.add("card_number");
        return REPLACEMENTS.card_number;
      });
      return { text: cleaned, redactions: [...found] };
    },
    cleanOfCard,
  };
}

/** Whether a run of digits is a card number or contains one. */
function containsCardNumber(digits: string): boolean {
  for (let start = 0; start + MIN_DIGITS <= digits.length; start++) {
    // Card numbers start with 2 to 6 (ISO/IEC 7812, major industry identifiers).
    if (!/[2-6]/.test(digits[start] ?? "")) continue;
    const rest = digits.length - start;
    // Within a longer run only the usual lengths count; otherwise one run in ten would match by chance.
    const lengths = digits.length <= MAX_DIGITS ? [rest] : [16, 15].filter((length) => length <= rest);
    if (lengths.some((length) => passesLuhn(digits.slice(start, start + length)))) return true;
  }
  return false;
}

/** Luhn check (ISO/IEC 7812-1, annex B). */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits[digits.length - 1 - at]);
    const doubled = at % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

const MAX_REASON_LENGTH = 300;

/** Returns the first line of an error for logs. Further lines of browser errors quote pages, headers and typed values. */
export function safeReason(error: unknown, redactor?: Redactor): string {
  if (!(error instanceof Error)) return "unknown";
  const firstLine = error.message.split("\n", 1)[0]?.slice(0, MAX_REASON_LENGTH) ?? "";
  return `${error.name}: ${redactor?.clean(firstLine).text ?? firstLine}`;
}
