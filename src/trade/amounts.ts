/** Exact arithmetic for amounts, prices and slippage. */
import { InvalidRequestError } from "../platform/errors.ts";
import { formatDecimal, parseDecimal } from "../platform/money.ts";
import type { Token } from "./tokens.ts";

const BPS = 10_000n;
const MAX_SLIPPAGE_PERCENT = 50;
export const DEFAULT_SLIPPAGE_PERCENT = 1;
/** The largest uint256; the database column holds as many digits. */
const MAX_AMOUNT_ATOMIC = 2n ** 256n - 1n;
const PRICE_DECIMALS = 18;

/**
 * Parses an amount into the token's smallest unit.
 *
 * @throws {InvalidRequestError} unless it is above 0 with at most the token's decimals
 */
export function readAmount(text: string, token: Token, field: "sellAmount" | "buyAmount"): bigint {
  const amountAtomic = parseDecimal(text, token.decimals, field);
  if (amountAtomic <= 0n) throw new InvalidRequestError(`${field} must be more than 0.`, field);
  if (amountAtomic > MAX_AMOUNT_ATOMIC) throw new InvalidRequestError(`${field} is too large.`, field);
  return amountAtomic;
}

/** Returns a percentage with at most two decimals in basis points; null is the default. @throws {InvalidRequestError} */
export function readSlippage(percent: number | null): number {
  const field = "slippagePercentage";
  const given = percent ?? DEFAULT_SLIPPAGE_PERCENT;
  if (!(given >= 0 && given <= MAX_SLIPPAGE_PERCENT)) {
    throw new InvalidRequestError(`${field} must be from 0 to ${MAX_SLIPPAGE_PERCENT}.`, field);
  }
  // String() gives the shortest decimal text of the number, which is the text the caller sent.
  const [, whole = "0", fraction = ""] = /^(\d+)(?:\.(\d{1,2}))?$/.exec(String(given)) ?? [];
  if (Number(`${whole}.${fraction}`) !== given) {
    throw new InvalidRequestError(`${field} may have at most 2 decimal places.`, field);
  }
  return Number(whole) * 100 + Number(fraction.padEnd(2, "0"));
}

/** Returns the minimum accepted amount: floor(buy × (10000 − bps) / 10000). */
export function minBuyAmount(buyAtomic: bigint, slippageBps: number): bigint {
  return (buyAtomic * (BPS - BigInt(slippageBps))) / BPS;
}

/** Returns the largest slippage in basis points that guarantees `minBuyAtomic` of a quoted amount, which is at least that. */
export function slippageToMinimum(buyAtomic: bigint, minBuyAtomic: bigint): number {
  return Number(((buyAtomic - minBuyAtomic) * BPS) / buyAtomic);
}

/** Returns the maximum sold for a stated amount to buy: ceil(sell × (10000 + bps) / 10000). */
export function maxSellAmount(sellAtomic: bigint, slippageBps: number): bigint {
  return (sellAtomic * (BPS + BigInt(slippageBps)) + BPS - 1n) / BPS;
}

/** Returns the largest slippage in basis points that sells at most `maxSellAtomic`, which is at least the quoted amount. */
export function slippageToMaximum(sellAtomic: bigint, maxSellAtomic: bigint): number {
  return Number(((maxSellAtomic - sellAtomic) * BPS) / sellAtomic);
}

/**
 * Returns the basis points by which the price of a swap is below that of a small one. The result is rounded up, and 0 if the price
 * is not below. Both prices include fees.
 */
export function priceImpactBps(
  swap: { readonly sellAtomic: bigint; readonly buyAtomic: bigint },
  small: { readonly sellAtomic: bigint; readonly buyAtomic: bigint },
): number {
  const expected = small.buyAtomic * swap.sellAtomic;
  const lost = expected - swap.buyAtomic * small.sellAtomic;
  if (lost <= 0n) return 0;
  return Number((lost * BPS + expected - 1n) / expected);
}

/** Returns the price of one sold token in bought tokens as a decimal, rounded down to 18 places. */
export function priceOf(sell: Token, sellAtomic: bigint, buy: Token, buyAtomic: bigint): string {
  const scaled =
    (buyAtomic * 10n ** BigInt(sell.decimals + PRICE_DECIMALS)) / (sellAtomic * 10n ** BigInt(buy.decimals));
  return formatDecimal(scaled, PRICE_DECIMALS);
}
