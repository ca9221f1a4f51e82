import { requireAccount, type Viewer } from "../accounts/viewer.ts";
import { admitQuote } from "./admit.ts";
import { minBuyAmount, priceOf } from "./amounts.ts";
import type { TradeDeps } from "./deps.ts";
import type { DexPrice } from "./dex.ts";
import { askMarket, readSwap, type SwapInput, termsOf } from "./swap-request.ts";
import { type Token, TRADE_NETWORK } from "./tokens.ts";

/** Prices move: an older preview says little. */
const SHOWN_FOR_MS = 30_000;

export interface TradeQuote {
  readonly network: string;
  readonly sell: Token;
  readonly buy: Token;
  readonly sellAtomic: bigint;
  readonly buyAtomic: bigint;
  readonly minBuyAtomic: bigint;
  readonly slippageBps: number;
  /** Whole bought tokens for one whole sold, as a decimal. */
  readonly price: string;
  readonly fees: DexPrice["fees"];
  readonly networkFeeWei: bigint | null;
  readonly route: DexPrice["route"];
  readonly expiresAt: Date;
}

/**
 * What a trade would bring now. Nothing is promised: the trade itself asks again and holds the answer to its own minimum.
 * @throws {InvalidRequestError | UnsupportedTokenError | UnsupportedNetworkError | RateLimitedError | TradingNotConfiguredError |
 *   DexUnavailableError | ChainUnavailableError}
 */
export async function quoteTrade(deps: TradeDeps, viewer: Viewer | null, input: SwapInput): Promise<TradeQuote> {
  const account = requireAccount(viewer);
  await admitQuote(deps.rateLimiter, account);
  const { dex, wanted } = await readSwap(deps, account, input);
  const price = await askMarket(wanted, dex.price(termsOf(wanted)));
  const { sell, buy, sellAtomic, slippageBps } = wanted;
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
    expiresAt: new Date(Date.now() + SHOWN_FOR_MS),
  };
}
