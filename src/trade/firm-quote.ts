/** The executable quote of a trade, which respects the limit that the caller saw in an earlier quote. */
import { InvalidRequestError } from "../platform/errors.ts";
import { parseDecimal } from "../platform/money.ts";
import { slippageToMaximum, slippageToMinimum } from "./amounts.ts";
import { type CheckedQuote, checkQuote, type SwapOrder, type SwapRequest } from "./check-quote.ts";
import type { TradeDeps } from "./deps.ts";
import type { Dex } from "./dex.ts";
import { termsOf, translateRefusals } from "./swap-request.ts";
import { TradeFailedError } from "./trade-failure.ts";

/** Quotes of one trade. The price may fall again between two quotes. */
const MAX_QUOTES = 3;

/** Limits that the caller saw in an earlier quote, in tokens as decimals; null for the slippage alone. */
export interface QuoteLimits {
  readonly minBuyAmount: string | null;
  /** Only for a stated amount to buy. */
  readonly maxSellAmount: string | null;
}

/**
 * Requests a quote and validates it. If the price fell, but is still within the caller's limit, requests it again with the slippage
 * that guarantees this limit. Returns the order with the slippage of the quote.
 *
 * @throws {TradeFailedError} when the price is beyond the limit, or the quote is refused; nothing was reserved or signed
 * @throws {InvalidRequestError} when a limit has more decimals than its token, or does not apply
 */
export async function requestFirmQuote(
  deps: TradeDeps,
  dex: Dex,
  requested: SwapRequest,
  limits: QuoteLimits,
): Promise<{ order: SwapOrder; quote: CheckedQuote }> {
  const slippageWithin = requested.amount.side === "sell" ? atLeast(requested, limits) : atMost(requested, limits);
  let request = requested;
  for (let quotes = 0; quotes < MAX_QUOTES; quotes++) {
    const offer = await translateRefusals(deps, request, dex.quote(termsOf(request)));
    const quote = checkQuote(offer, request, deps.trading.spenders);
    const slippageBps = slippageWithin(quote);
    if (slippageBps === null) return { order: { ...request, sellAtomic: quote.sellAtomic }, quote };
    if (slippageBps < 0) break;
    request = { ...request, slippageBps };
  }
  const { sell, buy, amount } = requested;
  const limit =
    amount.side === "sell"
      ? `no longer guarantees ${limits.minBuyAmount} ${buy.symbol}`
      : `sells more than ${limits.maxSellAmount} ${sell.symbol}`;
  throw new TradeFailedError(
    `The price moved: the exchange ${limit}. Nothing was reserved or signed. Request a new quote.`,
  );
}

/** Returns null if a quote is within the caller's limit, else the slippage that would be; below zero if there is none. */
type SlippageWithin = (quote: CheckedQuote) => number | null;

function atLeast({ buy }: SwapRequest, { minBuyAmount, maxSellAmount }: QuoteLimits): SlippageWithin {
  if (maxSellAmount !== null) throw new InvalidRequestError("maxSellAmount requires buyAmount.", "maxSellAmount");
  const leastAtomic = minBuyAmount === null ? 0n : parseDecimal(minBuyAmount, buy.decimals, "minBuyAmount");
  return ({ buyAtomic, minBuyAtomic }) => {
    if (minBuyAtomic >= leastAtomic) return null;
    return buyAtomic < leastAtomic ? -1 : slippageToMinimum(buyAtomic, leastAtomic);
  };
}

function atMost({ sell }: SwapRequest, { minBuyAmount, maxSellAmount }: QuoteLimits): SlippageWithin {
  if (minBuyAmount !== null) {
    throw new InvalidRequestError("minBuyAmount does not apply with buyAmount, which is the minimum.", "minBuyAmount");
  }
  if (maxSellAmount === null) return () => null;
  const mostAtomic = parseDecimal(maxSellAmount, sell.decimals, "maxSellAmount");
  return ({ sellAtomic, quotedSellAtomic }) => {
    if (sellAtomic <= mostAtomic) return null;
    return quotedSellAtomic > mostAtomic ? -1 : slippageToMaximum(quotedSellAtomic, mostAtomic);
  };
}
