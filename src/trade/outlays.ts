/** What the operation under an idempotency key moved: its payment, or its trade with the network fee. */
import type { Database } from "../platform/database/connection.ts";
import { formatDecimal } from "../platform/money.ts";
import { USDC_DECIMALS } from "../wallet/networks.ts";

/** The budget of a credential: a credential reads only what counts against its own budget. */
export interface OutlayReader {
  readonly accountId: string;
  readonly budgetId: string;
}

/** Returns the rows of the ledger under the keys. Amounts are text such as `3 USDC`. */
export async function findOutlays(
  { prisma }: Database,
  { accountId, budgetId }: OutlayReader,
  idempotencyKeys: readonly string[],
) {
  const rows = await prisma.transaction.findMany({
    where: { accountId, idempotencyKey: { in: [...idempotencyKeys] }, budgetIds: { has: budgetId } },
    orderBy: { createdAt: "asc" },
  });
  const trades = await prisma.trade.findMany({
    where: { transactionId: { in: rows.filter(({ type }) => type === "trade").map(({ id }) => id) } },
    include: {
      steps: { where: { purpose: "swap" } },
      gas: { where: { status: { in: ["signed", "mined"] } }, orderBy: { createdAt: "asc" } },
    },
  });
  const format = (atomic: { toFixed(digits: 0): string } | null, decimals: number, symbol: string) =>
    atomic && `${formatDecimal(BigInt(atomic.toFixed(0)), decimals)} ${symbol}`;
  return rows.map(({ id, status }) => {
    const trade = trades.find(({ transactionId }) => transactionId === id);
    return {
      transactionId: id,
      status: status as "reserved" | "signed" | "settled" | "released" | "failed",
      trade: trade
        ? {
            tradeId: trade.id,
            txHash: trade.steps[0]?.txHash ?? null,
            sold: format(trade.soldAtomic, trade.sellDecimals, trade.sellSymbol),
            bought: format(trade.boughtAtomic, trade.buyDecimals, trade.buySymbol),
            networkFees: trade.gas.map(({ transactionId, priceAtomic }) => ({
              transactionId,
              amount: format(priceAtomic, USDC_DECIMALS, "USDC") ?? "",
            })),
          }
        : null,
    };
  });
}
