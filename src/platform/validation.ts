import type { z } from "zod";
import { formatPath, InvalidRequestError, problemsOf } from "./errors.ts";

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

/**
 * Runs independent checks in order, and returns their results by name.
 * @throws {InvalidRequestError} with the problems of all checks, if the first that fails throws one. Other errors of later checks
 *   are not reported.
 */
export function checkAll<Checks extends Readonly<Record<string, () => unknown>>>(
  checks: Checks,
): { -readonly [Name in keyof Checks]: ReturnType<Checks[Name]> } {
  const failures: InvalidRequestError[] = [];
  const results = Object.entries(checks).map(([name, check]) => {
    try {
      return [name, check()];
    } catch (error) {
      if (error instanceof InvalidRequestError) failures.push(error);
      else if (failures.length === 0) throw error;
      return [name, undefined];
    }
  });
  const [first] = failures;
  if (first) throw new InvalidRequestError(first.message, first.field, failures.flatMap(problemsOf));
  return Object.fromEntries(results);
}
