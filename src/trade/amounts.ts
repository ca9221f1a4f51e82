/** Amounts, prices and slippage, exactly. */
import { InvalidRequestError } from "../platform/errors.ts";
import { formatDecimal, parseDecimal } from "../platform/money.ts";
import type { Token } from "./tokens.ts";

const BPS = 10_000n;
const MAX_SLIPPAGE_PERCENT = 50;
export const DEFAULT_SLIPPAGE_PERCENT = 1;
/** Far above every supply, far below what the database and a uint256 hold. */
const MAX_AMOUNT_ATOMIC = 10n ** 60n;
const PRICE_DECIMALS = 18;

/** @throws {InvalidRequestError} unless it is more than 0 with no more decimals than the token has. */
export function readSellAmount(text: string, token: Token): bigint {
  const amountAtomic = parseDecimal(text, token.decimals, "sellAmount");
  if (amountAtomic <= 0n) throw new InvalidRequestError("sellAmount must be more than 0.", "sellAmount");
  if (amountAtomic > MAX_AMOUNT_ATOMIC) throw new InvalidRequestError("sellAmount is too large.", "sellAmount");
  return amountAtomic;
}

/** Percent with at most two decimals → basis points. @throws {InvalidRequestError} */
export function readSlippage(percent: number | null): number {
  const field = "slippagePercentage";
  const given = percent ?? DEFAULT_SLIPPAGE_PERCENT;
  if (!(given >= 0 && given <= MAX_SLIPPAGE_PERCENT)) {
    throw new InvalidRequestError(`${field} must be from 0 to ${MAX_SLIPPAGE_PERCENT}.`, field);
  }
  // The shortest text that stands for the number: what the caller wrote.
  const [, whole = "0", fraction = ""] = /^(\d+)(?:\.(\d{1,2}))?$/.exec(String(given)) ?? [];
  if (Number(`${whole}.${fraction}`) !== given) {
    throw new InvalidRequestError(`${field} may have at most 2 decimal places.`, field);
  }
  return Number(whole) * 100 + Number(fraction.padEnd(2, "0"));
}

/** The least that is accepted: floor(buy × (10000 − bps) / 10000). */
export function minBuyAmount(buyAtomic: bigint, slippageBps: number): bigint {
  return (buyAtomic * (BPS - BigInt(slippageBps))) / BPS;
}

/** What one whole of the sold token brings, as a decimal, rounded down to 18 places. */
export function priceOf(sell: Token, sellAtomic: bigint, buy: Token, buyAtomic: bigint): string {
  const scaled =
    (buyAtomic * 10n ** BigInt(sell.decimals + PRICE_DECIMALS)) / (sellAtomic * 10n ** BigInt(buy.decimals));
  return formatDecimal(scaled, PRICE_DECIMALS);
}
