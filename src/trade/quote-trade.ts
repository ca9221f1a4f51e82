import { requireAccount, type Viewer } from "../accounts/viewer.ts";
import { minBuyAmount, priceOf } from "./amounts.ts";
import type { TradeDeps } from "./deps.ts";
import type { DexPrice } from "./dex.ts";
import { readPriceImpact } from "./price-impact.ts";
import { readSwap, type SwapInput, termsOf, translateRefusals } from "./swap-request.ts";
import { KNOWN_TOKENS, type Token, TRADE_NETWORK } from "./tokens.ts";
import { admitQuote } from "./trade-rate-limits.ts";

/** Time after which an indicative price is considered stale. */
const QUOTE_VALIDITY_MS = 30_000;

export interface TradeQuote {
  readonly network: string;
  readonly sell: Token;
  readonly buy: Token;
  readonly sellAtomic: bigint;
  /** The most that is sold; above `sellAtomic` only for a stated amount to buy. */
  readonly maxSellAtomic: bigint;
  readonly buyAtomic: bigint;
  readonly minBuyAtomic: bigint;
  readonly slippageBps: number;
  /** Price of one sold token in bought tokens, as a decimal. */
  readonly price: string;
  readonly fees: DexPrice["fees"];
  readonly networkFeeWei: bigint | null;
  readonly route: DexPrice["route"];
  readonly expiresAt: Date;
  /** How much worse the price is than that of a small swap, in basis points; null if unknown. */
  readonly priceImpactBps: number | null;
  /** Taxes of the tokens' contracts in basis points; null if unknown. */
  readonly sellTaxBps: number | null;
  readonly buyTaxBps: number | null;
  readonly warnings: readonly QuoteWarning[];
}

/** Impact from which a quote has a warning. */
const HIGH_IMPACT_BPS = 500;

export type QuoteWarning =
  | "high_price_impact"
  | "token_tax"
  | "unlisted_token"
  | "insufficient_balance"
  | "not_simulated"
  | "network_fee_in_usdc";

/**
 * Returns an indicative price without a reservation. A trade requests a new quote and enforces that quote's minimum.
 *
 * @throws {InvalidRequestError | UnsupportedTokenError | UnsupportedNetworkError | RateLimitedError | InsufficientBalanceError |
 *   TradingNotConfiguredError | DexUnavailableError | ChainUnavailableError}
 */
export async function quoteTrade(deps: TradeDeps, viewer: Viewer | null, input: SwapInput): Promise<TradeQuote> {
  const account = requireAccount(viewer);
  await admitQuote(deps.rateLimiter, account);
  const { dex, request } = await readSwap(deps, account, input);
  const native = deps.chains.evm(TRADE_NETWORK).nativeBalanceAtomic(request.taker);
  native.catch(() => {});
  const price = await translateRefusals(deps, request, dex.price(termsOf(request)));
  const { sell, buy, amount, slippageBps } = request;
  const { sellAtomic, maxSellAtomic } = price;
  const { sellTaxBps, buyTaxBps } = price;
  const impactBps = await readPriceImpact(dex, { ...request, sellAtomic }, price);
  const isListed = (token: Token) => KNOWN_TOKENS.includes(token);
  const lacksNative = !sell.isNative && (await native) < (price.networkFeeWei ?? 0n);
  const warnings: readonly (readonly [QuoteWarning, boolean])[] = [
    ["high_price_impact", (impactBps ?? 0) >= HIGH_IMPACT_BPS],
    ["token_tax", (sellTaxBps ?? 0) + (buyTaxBps ?? 0) > 0],
    ["unlisted_token", !isListed(sell) || !isListed(buy)],
    ["insufficient_balance", price.lacksBalance],
    ["not_simulated", !price.isSimulated && !price.lacksBalance],
    ["network_fee_in_usdc", lacksNative && deps.trading.gas.limits.totalWei > 0n],
  ];
  return {
    ...{ priceImpactBps: impactBps, sellTaxBps, buyTaxBps },
    warnings: warnings.flatMap(([warning, applies]) => (applies ? [warning] : [])),
    network: TRADE_NETWORK,
    sell,
    buy,
    sellAtomic,
    maxSellAtomic,
    buyAtomic: price.buyAtomic,
    minBuyAtomic: amount.side === "buy" ? amount.atomic : minBuyAmount(price.buyAtomic, slippageBps),
    slippageBps,
    price: priceOf(sell, sellAtomic, buy, price.buyAtomic),
    fees: price.fees,
    networkFeeWei: price.networkFeeWei,
    route: price.route,
    expiresAt: new Date(Date.now() + QUOTE_VALIDITY_MS),
  };
}
