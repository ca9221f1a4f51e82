import { InvalidRequestError } from "../platform/errors.ts";
import { type Dex, NoMarketError } from "./dex.ts";
import { UnsupportedTokenError } from "./find-token.ts";
import { type Token, USDC } from "./tokens.ts";

/** A thousand millions: far above every limit, far below what the ledger holds. */
const MAX_SALE_MICRO_USD = 10n ** 15n;

/**
 * What is sold, in micro-USD, as it counts against the limits: USDC at par, and any other token at what the aggregator says it
 * brings in USDC. That is as true as the aggregator; a token that it cannot price is not sold, since no limit would hold.
 * @throws {UnsupportedTokenError | DexUnavailableError | InvalidRequestError}
 */
export async function usdValueOf(dex: Dex, sale: Sale): Promise<bigint> {
  const microUsd = await pricedOf(dex, sale);
  if (microUsd <= MAX_SALE_MICRO_USD) return microUsd;
  throw new InvalidRequestError("sellAmount may be worth at most 1,000,000,000 US dollars.", "sellAmount");
}

interface Sale {
  readonly sell: Token;
  readonly buy: Token;
  readonly sellAtomic: bigint;
  readonly buyAtomic: bigint;
  readonly taker: `0x${string}`;
}

async function pricedOf(dex: Dex, sale: Sale): Promise<bigint> {
  const { sell, buy, sellAtomic, buyAtomic, taker } = sale;
  if (sell.address === USDC.address) return sellAtomic;
  if (buy.address === USDC.address) return atLeastOne(buyAtomic);
  const terms = { sellToken: sell.address, buyToken: USDC.address, sellAtomic, slippageBps: 0, taker };
  try {
    return atLeastOne((await dex.price(terms)).buyAtomic);
  } catch (error) {
    if (!(error instanceof NoMarketError)) throw error;
    if (error.isTooLittle) return 1n;
    throw new UnsupportedTokenError(
      `${sell.symbol} has no price in US dollars, so no limit could hold it.`,
      "sellToken",
    );
  }
}

/** A sale of dust counts too. */
function atLeastOne(microUsd: bigint): bigint {
  return microUsd > 0n ? microUsd : 1n;
}
