/** Prices of price lists: decimal strings or numbers, also with an exponent. */
import { z } from "zod";

export const ATTO_USD_DECIMALS = 18;

const DECIMAL = /^(\d{1,30})(?:\.(\d{1,40}))?(?:e([+-]?\d{1,3}))?$/i;
/** Six digits before the point. */
const MAX_ATTO_USD = 10n ** BigInt(6 + ATTO_USD_DECIMALS);

/** Returns a price in atto-USD, rounded up; null if it is no number from 0 to 999,999 US dollars. */
export function parsePriceAttoUsd(price: string | number): bigint | null {
  const [, whole, fraction = "", exponent = "0"] = DECIMAL.exec(String(price).trim()) ?? [];
  if (whole === undefined) return null;
  const digits = BigInt(whole + fraction);
  const shift = ATTO_USD_DECIMALS + Number(exponent) - fraction.length;
  const divisor = 10n ** BigInt(Math.max(0, -shift));
  const attoUsd = digits * 10n ** BigInt(Math.max(0, shift));
  const rounded = (attoUsd + divisor - 1n) / divisor;
  return rounded < MAX_ATTO_USD ? rounded : null;
}

/** A price in US dollars. The result is in atto-USD. */
export const usdPrice = z
  .union([z.string(), z.number()], "must be a number of US dollars")
  .transform((price, context) => {
    const attoUsd = parsePriceAttoUsd(price);
    if (attoUsd !== null) return attoUsd;
    context.addIssue({ code: "custom", message: "must be a decimal number of US dollars such as 0.0000025" });
    return z.NEVER;
  });
