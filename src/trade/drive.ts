/** Taking a committed trade to its end, from wherever it stands. Any number may do it at once: each step is one conditional statement. */
import type { EvmTransaction, Trade } from "../../generated/prisma/client.ts";
import { concludeTrade, isEnded, revokeLeftover } from "./conclude.ts";
import type { TradeDeps } from "./deps.ts";
import { advanceTransaction } from "./send-transaction.ts";
import { publishTrade } from "./trade-events.ts";

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;

/** Takes a trade one step on. `isThorough` also sends again what the network lost and raises fees. Answers whether nothing is left to do. */
export async function advanceTrade(deps: TradeDeps, tradeId: string, isThorough: boolean): Promise<boolean> {
  const { prisma } = deps.db;
  const trade = await prisma.trade.findUniqueOrThrow({ where: { id: tradeId } });
  const wallet = await deps.wallets.byId(trade.walletId);
  const rows: EvmTransaction[] = [];
  for (const row of await prisma.evmTransaction.findMany({ where: { tradeId }, orderBy: { nonce: "asc" } })) {
    rows.push(await advanceTransaction(deps, wallet, row, isThorough));
  }
  await noteSubmitted(deps, trade, rows);
  const open = rows.some(({ status }) => status === "reserved" || status === "signed");
  if (open || rows.length === 0) return false;
  const of = (purpose: string) => rows.find((row) => row.purpose === purpose);
  const swap = of("swap");
  if (swap && !isEnded(trade)) await concludeTrade(deps, wallet, trade, swap);
  const approve = of("approve");
  if (approve?.status === "mined" && !of("revoke")) {
    await revokeLeftover(deps, wallet, trade, approve);
    const revoking = await prisma.evmTransaction.count({ where: { tradeId, purpose: "revoke" } });
    if (revoking > 0) return false;
  }
  const { status } = await prisma.trade.findUniqueOrThrow({ where: { id: tradeId } });
  if (!isEnded({ status })) return false;
  await prisma.evmTransaction.updateMany({ where: { tradeId }, data: { nextCheckAt: null } });
  return true;
}

/** Drives a trade until it has ended or the time is over; the repeated job goes on from there. Answers the trade. */
export async function driveTrade(deps: TradeDeps, tradeId: string): Promise<Trade> {
  const until = Date.now() + deps.trading.waitMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
    try {
      if (await advanceTrade(deps, tradeId, false)) break;
    } catch (error) {
      // It is committed: whatever failed here, a failure told to the caller would have it asked for twice.
      deps.logger.warn({ err: error, tradeId }, "trade not advanced; it will be again");
    }
    if (Date.now() + pauseMs > until) break;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return await deps.db.prisma.trade.findUniqueOrThrow({ where: { id: tradeId } });
}

async function noteSubmitted(deps: TradeDeps, trade: Trade, rows: readonly EvmTransaction[]): Promise<void> {
  const isOut = rows.some(({ purpose, status }) => purpose === "swap" && status !== "reserved");
  if (trade.status !== "approving" || !isOut) return;
  const { count } = await deps.db.prisma.trade.updateMany({
    where: { id: trade.id, status: "approving" },
    data: { status: "submitted", updatedAt: new Date() },
  });
  if (count > 0) publishTrade(deps.pubsub, trade.accountId, trade.id);
}
