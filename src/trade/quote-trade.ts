import { requireAccount, type Viewer } from "../accounts/viewer.ts";
import { minBuyAmount, priceOf } from "./amounts.ts";
import type { TradeDeps } from "./deps.ts";
import type { DexPrice } from "./dex.ts";
import { readSwap, type SwapInput, termsOf, translateMarketErrors } from "./swap-request.ts";
import { type Token, TRADE_NETWORK } from "./tokens.ts";
import { admitQuote } from "./trade-rate-limits.ts";

/** Time after which an indicative price is considered stale. */
const QUOTE_VALIDITY_MS = 30_000;

export interface TradeQuote {
  readonly network: string;
  readonly sell: Token;
  readonly buy: Token;
  readonly sellAtomic: bigint;
  readonly buyAtomic: bigint;
  readonly minBuyAtomic: bigint;
  readonly slippageBps: number;
  /** Price of one sold token in bought tokens, as a decimal. */
  readonly price: string;
  readonly fees: DexPrice["fees"];
  readonly networkFeeWei: bigint | null;
  readonly route: DexPrice["route"];
  readonly expiresAt: Date;
}

/**
 * Returns an indicative price without a reservation. A trade requests a new quote and enforces that quote's minimum.
 *
 * @throws {InvalidRequestError | UnsupportedTokenError | UnsupportedNetworkError | RateLimitedError | TradingNotConfiguredError |
 *   DexUnavailableError | ChainUnavailableError}
 */
export async function quoteTrade(deps: TradeDeps, viewer: Viewer | null, input: SwapInput): Promise<TradeQuote> {
  const account = requireAccount(viewer);
  await admitQuote(deps.rateLimiter, account);
  const { dex, order } = await readSwap(deps, account, input);
  const price = await translateMarketErrors(order, dex.price(termsOf(order)));
  const { sell, buy, sellAtomic, slippageBps } = order;
  return {
    network: TRADE_NETWORK,
    sell,
    buy,
    sellAtomic,
    buyAtomic: price.buyAtomic,
    minBuyAtomic: minBuyAmount(price.buyAtomic, slippageBps),
    slippageBps,
    price: priceOf(sell, sellAtomic, buy, price.buyAtomic),
    fees: price.fees,
    networkFeeWei: price.networkFeeWei,
    route: price.route,
    expiresAt: new Date(Date.now() + QUOTE_VALIDITY_MS),
  };
}
