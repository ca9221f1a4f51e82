import type { z } from "zod";
import { formatPath, InvalidRequestError } from "./errors.ts";

/** Zod option: the message "is missing" for an absent member, and `message` for an invalid one. */
export function orMissing(message: string) {
  return {
    error: ({ input }: { readonly input?: unknown }) => (input === undefined ? "is missing" : message),
  };
}

/** Codes in the Unicode data that are not countries of ISO 3166-1: reserved codes, unions, pseudo-regions. */
const NOT_COUNTRIES = new Set("AC CP CQ DG EA EU EZ IC QO TA UN XA XB ZZ".split(" "));

const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" });

/** Returns true if `code` is a current country code in upper case (ISO 3166-1 alpha-2, and Unicode's XK). */
export function isCountryCode(code: string): boolean {
  if (!/^[A-Z]{2}$/.test(code) || NOT_COUNTRIES.has(code) || names.of(code) === undefined) return false;
  // `Intl.Locale` replaces a withdrawn code by its successor: SU by RU.
  return new Intl.Locale(`und-${code}`).region === code;
}

/** Returns the error with all issues of a zod schema, whose messages are predicates: "must not be empty". */
export function createInputError(
  issues: readonly z.core.$ZodIssue[],
  formatField: (path: readonly string[]) => string = formatPath,
): InvalidRequestError {
  const problems = issues.map((issue) => {
    const path = issue.path.map(String);
    return { path, message: `${formatField(path) || "The input"} ${issue.message}.` };
  });
  const [first] = problems;
  const field = first && first.path.length > 0 ? formatField(first.path) : null;
  return new InvalidRequestError(first?.message ?? "The input is not valid.", field, problems);
}
