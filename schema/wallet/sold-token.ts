import DataLoader from "dataloader";
import type { Context } from "../context.ts";

interface SoldToken {
  readonly symbol: string;
  readonly decimals: number;
}

const loaders = new WeakMap<Context, DataLoader<string, SoldToken | null>>();

/** Returns the token that a trade sells, by the id of its ledger row; null for other rows. Batched over rows. */
export function findSoldToken(context: Context, transactionId: string): Promise<SoldToken | null> {
  let loader = loaders.get(context);
  if (!loader) {
    const { db } = context.deps;
    loader = new DataLoader(async (ids) => {
      const trades = await db.prisma.trade.findMany({ where: { transactionId: { in: [...ids] } } });
      const byId = new Map(trades.map((trade) => [trade.transactionId, trade]));
      return ids.map((id) => {
        const trade = byId.get(id);
        return trade ? { symbol: trade.sellSymbol, decimals: trade.sellDecimals } : null;
      });
    });
    loaders.set(context, loader);
  }
  return loader.load(transactionId);
}
