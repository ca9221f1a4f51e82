import { priceImpactBps } from "./amounts.ts";
import type { SwapOrder } from "./check-quote.ts";
import { type Dex, type DexPrice, DexRefusalError, DexUnavailableError } from "./dex.ts";
import { isWrap } from "./tokens.ts";

/** The small swap is this part of the quoted one. */
const PART = 1_000n;
/** Smallest bought amount at which rounding changes the impact by less than a basis point. */
const MIN_BUY_ATOMIC = 10_000n;

/**
 * Returns how much worse the quoted price is than that of a swap of a thousandth of the amount, in basis points. Null if that is too
 * small to be compared, or the exchange does not quote it.
 */
export async function readPriceImpact(dex: Dex, order: SwapOrder, price: DexPrice): Promise<number | null> {
  if (isWrap(order.sell, order.buy)) return 0;
  const sellAtomic = order.sellAtomic / PART;
  if (sellAtomic === 0n || price.buyAtomic / PART < MIN_BUY_ATOMIC) return null;
  const { sell, buy, slippageBps, taker } = order;
  try {
    const amount = { side: "sell", atomic: sellAtomic } as const;
    const small = await dex.price({ sellToken: sell.address, buyToken: buy.address, amount, slippageBps, taker });
    return small.buyAtomic > 0n ? priceImpactBps({ ...order, buyAtomic: price.buyAtomic }, small) : null;
  } catch (error) {
    if (error instanceof DexRefusalError || error instanceof DexUnavailableError) return null;
    throw error;
  }
}
