import DataLoader from "dataloader";
import { USDC_DECIMALS } from "../../src/wallet/networks.ts";
import type { Context } from "../context.ts";

const loaders = new WeakMap<Context, DataLoader<string, number>>();

/** Returns the decimal places of the token that a trade sells, or those of USDC for other transactions. Batched over rows. */
export function soldDecimals(context: Context, transactionId: string): Promise<number> {
  let loader = loaders.get(context);
  if (!loader) {
    const { db } = context.deps;
    loader = new DataLoader(async (ids) => {
      const where = { transactionId: { in: [...ids] } };
      const trades = await db.prisma.trade.findMany({ where });
      const byId = new Map(trades.map((trade) => [trade.transactionId, trade.sellDecimals]));
      return ids.map((id) => byId.get(id) ?? USDC_DECIMALS);
    });
    loaders.set(context, loader);
  }
  return loader.load(transactionId);
}
