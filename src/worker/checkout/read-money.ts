/** Parses amounts in merchants' formats: `£28.90 GBP`, `1.234,50 €`, `¥3,300`, `5.280 KWD`. */
import { data as CURRENCIES, code as currencyOf } from "currency-codes";
import { type Money, toMinor } from "../../checkout/money.ts";

/** Currencies that a sign may denote; the first is the most common. */
const CURRENCIES_BY_SIGN: Readonly<Record<string, readonly string[]>> = {
  US$: ["USD"],
  C$: ["CAD"],
  CA$: ["CAD"],
  A$: ["AUD"],
  AU$: ["AUD"],
  NZ$: ["NZD"],
  HK$: ["HKD"],
  S$: ["SGD"],
  R$: ["BRL"],
  MX$: ["MXN"],
  $: ["USD", "AUD", "CAD", "NZD", "HKD", "SGD", "MXN", "TWD", "ARS", "CLP", "COP"],
  "£": ["GBP", "EGP"],
  "€": ["EUR"],
  "¥": ["JPY", "CNY"],
  "￥": ["JPY", "CNY"],
  円: ["JPY"],
  元: ["CNY"],
  "₹": ["INR"],
  "₩": ["KRW"],
  "₺": ["TRY"],
  "₪": ["ILS"],
  "₫": ["VND"],
  "฿": ["THB"],
  zł: ["PLN"],
  Kč: ["CZK"],
  Ft: ["HUF"],
  lei: ["RON"],
  kr: ["SEK", "NOK", "DKK", "ISK"],
  Fr: ["CHF"],
};
const CODES = new Set(CURRENCIES.map(({ code }) => code));
const SIGN = Object.keys(CURRENCIES_BY_SIGN)
  .toSorted((one, other) => other.length - one.length)
  .map((sign) => sign.replaceAll("$", "\\$"))
  .join("|");
const NUMBER = String.raw`\d{1,3}(?:[.,'’\u00a0\u202f ]\d{3})+(?:[.,]\d{1,3})?|\d+(?:[.,]\d{1,3})?`;
const BEFORE = String.raw`(?<codeBefore>\b[A-Z]{3}\b)?\s?(?<signBefore>${SIGN})?\s?`;
/** A sign that directly precedes a digit belongs to the number after it. */
const AFTER = String.raw`(?:\s?(?<signAfter>${SIGN})(?!\d))?(?:\s?(?<codeAfter>[A-Z]{3})\b)?`;
const written = (before: string, after: string) =>
  new RegExp(String.raw`${before}(?<number>${NUMBER})(?![\d%])${after}`, "gu");
const AMOUNT = written(BEFORE, AFTER);
const [LEADING, TRAILING] = [written(BEFORE, ""), written("", AFTER)];

/** An amount with all currencies that its sign may denote. Empty without a sign or code. */
interface Found {
  readonly digits: string;
  readonly currencies: readonly string[];
}

function amountsIn(text: string, form = AMOUNT): Found[] {
  return [...text.replace(/[\u00a0\u202f]/g, " ").matchAll(form)].map(({ groups = {} }) => {
    const { codeBefore, codeAfter, signBefore, signAfter, number: digits = "" } = groups;
    const code = [codeAfter, codeBefore].find((one) => one !== undefined && CODES.has(one));
    return { digits, currencies: code ? [code] : (CURRENCIES_BY_SIGN[signBefore ?? signAfter ?? ""] ?? []) };
  });
}

/**
 * Returns every amount that has a sign or a code. The currency is `currency` if the sign may denote it, otherwise the sign's
 * most common one. A sign between two numbers counts for both.
 */
export function moneyIn(text: string, currency: string): Money[] {
  return [LEADING, TRAILING].flatMap((form) =>
    amountsIn(text, form).flatMap(({ digits, currencies }) => {
      const resolved = currencies.includes(currency) ? currency : currencies[0];
      const amountMinor = resolved === undefined ? null : minorOf(digits, resolved);
      return resolved === undefined || amountMinor === null ? [] : [{ amountMinor, currency: resolved }];
    }),
  );
}

/** Returns every amount in `currency`. Numbers without a sign count only if no number has one. `free` is zero. */
export function amountsOf(text: string, currency: string): number[] {
  const found = amountsIn(text);
  const signed = found.filter(({ currencies }) => currencies.length > 0);
  const amounts = (signed.length > 0 ? signed : found).flatMap(({ digits, currencies }) => {
    const amountMinor = currencies.length === 0 || currencies.includes(currency) ? minorOf(digits, currency) : null;
    return amountMinor === null ? [] : [amountMinor];
  });
  const isFree = /\b(?:free|gratis|kostenlos|gratuit|gratuito|offert)\b|無料/i.test(text);
  return isFree && signed.length === 0 ? [0] : amounts;
}

/**
 * Parses a number into minor units; null if it is no amount of the currency. A last point or comma starts the fraction,
 * unless three digits follow it: then it groups thousands. In currencies with three decimals, a point still starts the
 * fraction, as in English.
 */
function minorOf(written: string, currency: string): number | null {
  const exponent = currencyOf(currency)?.digits;
  if (exponent === undefined) return null;
  const [, whole = "", mark, fraction = ""] = /^(.*?)(?:([.,])(\d+))?$/.exec(written.replaceAll(/['’ ]/g, "")) ?? [];
  const bare = whole.replaceAll(/[.,]/g, "");
  if (mark === undefined) return toMinor(bare, currency);
  const isFraction = fraction.length === 3 ? exponent === 3 && mark === "." : true;
  return toMinor(isFraction ? `${bare}.${fraction}` : bare + fraction, currency);
}
