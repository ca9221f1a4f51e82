import { type Dex, DexRefusalError } from "./dex.ts";
import { UnsupportedTokenError } from "./find-token.ts";
import { type Token, USDC } from "./tokens.ts";

/** 1,000,000,000 USD: far above any limit, far below the range of the ledger. */
const MAX_SALE_MICRO_USD = 10n ** 15n;

/** Returns whether the ledger can represent sums of such values. */
export const isWithinLedger = (microUsd: bigint): boolean => microUsd <= MAX_SALE_MICRO_USD;

interface Sale {
  readonly sell: Token;
  readonly buy: Token;
  readonly sellAtomic: bigint;
  readonly buyAtomic: bigint;
  readonly taker: `0x${string}`;
}

/**
 * Returns the value of a sale in micro-USD that counts against the limits. USDC counts at par, any other token at the aggregator's
 * price in USDC. The value is only as reliable as the aggregator. A token without a price is not sold, since no limit would apply.
 *
 * @throws {UnsupportedTokenError | DexUnavailableError | TradingNotConfiguredError}
 */
export async function usdValueOf(dex: Dex, sale: Sale): Promise<bigint> {
  const { sell, buy, sellAtomic, buyAtomic, taker } = sale;
  if (sell.address === USDC.address) return sellAtomic;
  if (buy.address === USDC.address) return atLeastOne(buyAtomic);
  const amount = { side: "sell", atomic: sellAtomic } as const;
  const terms = { sellToken: sell.address, buyToken: USDC.address, amount, slippageBps: 0, taker };
  try {
    return atLeastOne((await dex.price(terms)).buyAtomic);
  } catch (error) {
    if (!(error instanceof DexRefusalError)) throw error;
    if (error.reason === "too_little") return 1n;
    throw new UnsupportedTokenError(
      `${sell.symbol} has no price in US dollars, so spending limits cannot be applied. No payment was made.`,
      "sellToken",
    );
  }
}

/** Counts a sale of less than one micro-USD as one. */
function atLeastOne(microUsd: bigint): bigint {
  return microUsd > 0n ? microUsd : 1n;
}
