/** What zod says of a member that is not there, or is another than it should be: callers look for different mistakes. */
export function orMissing(otherwise: string) {
  return {
    error: ({ input }: { readonly input?: unknown }) => (input === undefined ? "is missing" : otherwise),
  };
}

/** Codes the Unicode data names beside the countries of ISO 3166-1: reserved ones, unions, pseudo-regions. */
const NOT_COUNTRIES = new Set("AC CP CQ DG EA EU EZ IC QO TA UN XA XB ZZ".split(" "));

const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" });

/** Whether `code` is a country's two capital letters (ISO 3166-1 alpha-2, and XK as Unicode has it) that is in use today. */
export function isCountryCode(code: string): boolean {
  if (!/^[A-Z]{2}$/.test(code) || NOT_COUNTRIES.has(code) || names.of(code) === undefined) return false;
  // A withdrawn code is read as its successor: SU as RU.
  return new Intl.Locale(`und-${code}`).region === code;
}
