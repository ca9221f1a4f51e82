/** Advances a committed trade from any status to its end. Safe to run concurrently, since each step is one conditional statement. */
import type { EvmTransaction, Trade } from "../../generated/prisma/client.ts";
import { concludeTrade, isEnded, revokeLeftoverAllowance } from "./conclude-trade.ts";
import type { TradeDeps } from "./deps.ts";
import { advanceTransaction } from "./send-transaction.ts";
import { publishTrade } from "./trade-events.ts";

const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 1_000;

/**
 * Advances a trade by one step and returns whether it is complete.
 * @param isThorough also resends transactions that the network dropped, and raises fees
 */
export async function advanceTrade(deps: TradeDeps, tradeId: string, isThorough: boolean): Promise<boolean> {
  const { prisma } = deps.db;
  const trade = await prisma.trade.findUniqueOrThrow({ where: { id: tradeId } });
  const wallet = await deps.wallets.payer(trade);
  const rows: EvmTransaction[] = [];
  for (const row of await prisma.evmTransaction.findMany({ where: { tradeId }, orderBy: { nonce: "asc" } })) {
    rows.push(await advanceTransaction(deps, wallet, row, isThorough));
  }
  await markSubmitted(deps, trade, rows);
  const open = rows.some(({ status }) => status === "reserved" || status === "signed");
  if (open || rows.length === 0) return false;
  const findByPurpose = (purpose: string) => rows.find((row) => row.purpose === purpose);
  const swap = findByPurpose("swap");
  if (swap && !isEnded(trade)) await concludeTrade(deps, wallet, trade, swap);
  const approve = findByPurpose("approve");
  if (approve?.status === "mined" && !findByPurpose("revoke")) {
    await revokeLeftoverAllowance(deps, wallet, trade, approve);
    const revoking = await prisma.evmTransaction.count({ where: { tradeId, purpose: "revoke" } });
    if (revoking > 0) return false;
  }
  const { status } = await prisma.trade.findUniqueOrThrow({ where: { id: tradeId } });
  if (!isEnded({ status })) return false;
  await prisma.evmTransaction.updateMany({ where: { tradeId }, data: { nextCheckAt: null } });
  return true;
}

/** Advances a trade until it has ended or `waitMs` has passed, and returns it. The recurring job continues an unfinished trade. */
export async function driveTrade(deps: TradeDeps, tradeId: string): Promise<Trade> {
  const until = Date.now() + deps.trading.waitMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, MAX_PAUSE_MS)) {
    try {
      if (await advanceTrade(deps, tradeId, false)) break;
    } catch (error) {
      // The trade is committed and will be retried. An error here would invite a second request.
      deps.logger.warn({ err: error, tradeId }, "Trade not advanced; retry scheduled");
    }
    if (Date.now() + pauseMs > until) break;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return await deps.db.prisma.trade.findUniqueOrThrow({ where: { id: tradeId } });
}

async function markSubmitted(deps: TradeDeps, trade: Trade, rows: readonly EvmTransaction[]): Promise<void> {
  const isSwapSent = rows.some(({ purpose, status }) => purpose === "swap" && status !== "reserved");
  if (trade.status !== "approving" || !isSwapSent) return;
  const { count } = await deps.db.prisma.trade.updateMany({
    where: { id: trade.id, status: "approving" },
    data: { status: "submitted", updatedAt: new Date() },
  });
  if (count > 0) publishTrade(deps.pubsub, trade.accountId, trade.id);
}
