/** Exact arithmetic for amounts, prices and slippage. */
import { InvalidRequestError } from "../platform/errors.ts";
import { formatDecimal, parseDecimal } from "../platform/money.ts";
import type { Token } from "./tokens.ts";

const BPS = 10_000n;
const MAX_SLIPPAGE_PERCENT = 50;
export const DEFAULT_SLIPPAGE_PERCENT = 1;
/** Far above any token supply, far below the range of the database column and of uint256. */
const MAX_AMOUNT_ATOMIC = 10n ** 60n;
const PRICE_DECIMALS = 18;

/**
 * Parses `sellAmount` into the token's smallest unit.
 *
 * @throws {InvalidRequestError} unless it is above 0 with at most the token's decimals
 */
export function readSellAmount(text: string, token: Token): bigint {
  const amountAtomic = parseDecimal(text, token.decimals, "sellAmount");
  if (amountAtomic <= 0n) throw new InvalidRequestError("sellAmount must be more than 0.", "sellAmount");
  if (amountAtomic > MAX_AMOUNT_ATOMIC) throw new InvalidRequestError("sellAmount is too large.", "sellAmount");
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

/** Returns the price of one sold token in bought tokens as a decimal, rounded down to 18 places. */
export function priceOf(sell: Token, sellAtomic: bigint, buy: Token, buyAtomic: bigint): string {
  const scaled =
    (buyAtomic * 10n ** BigInt(sell.decimals + PRICE_DECIMALS)) / (sellAtomic * 10n ** BigInt(buy.decimals));
  return formatDecimal(scaled, PRICE_DECIMALS);
}
