/** Completion of a trade after its swap has ended on chain: the ledger, then the trade, then revocation of leftover allowance. */
import { erc20Abi } from "viem";
import type { EvmTransaction, Trade } from "../../generated/prisma/client.ts";
import { publishTransaction } from "../payments/transaction-events.ts";
import { formatDecimal } from "../platform/money.ts";
import { getReceipt } from "../wallet/evm/transactions.ts";
import { fail, settle } from "../wallet/ledger.ts";
import type { SealedWallet } from "../wallet/vault.ts";
import { approveCall, spenderOf } from "./approval.ts";
import type { TradeDeps } from "./deps.ts";
import { approveGasLimit, currentFees } from "./fees.ts";
import { addTransaction } from "./nonces.ts";
import { readOutcome } from "./outcome.ts";
import { TRADE_NETWORK } from "./tokens.ts";
import { publishTrade } from "./trade-events.ts";

export const isEnded = ({ status }: Pick<Trade, "status">) => status === "settled" || status === "failed";

/** Records the outcome of the trade. Idempotent. */
export async function concludeTrade(
  deps: TradeDeps,
  wallet: SealedWallet,
  trade: Trade,
  swap: EvmTransaction,
): Promise<void> {
  const hash = swap.txHash as `0x${string}`;
  const { rpc } = deps.chains.evm(TRADE_NETWORK);
  const receipt = await getReceipt(rpc, hash);
  if (!receipt) return;
  deps.chains.evm(TRADE_NETWORK).invalidateBalances(wallet.evmAddress);
  if (swap.status !== "mined") {
    const reason =
      swap.status === "cancelled"
        ? "The network did not mine the swap in time, and it was cancelled."
        : "The swap was reverted on chain.";
    await fail(deps.db, trade.transactionId, reason, hash);
    return await endTrade(deps, trade, { status: "failed", failureReason: `${reason} Nothing was sold.` });
  }
  const { soldAtomic, boughtAtomic } = await readOutcome(rpc, trade, swap, receipt, wallet.evmAddress);
  const ledger = await deps.db.prisma.transaction.findUniqueOrThrow({ where: { id: trade.transactionId } });
  const sellAtomic = BigInt(trade.sellAmountAtomic.toFixed(0));
  const chargedMicroUsd = shareOf(ledger.amountMicroUsd, soldAtomic, sellAtomic);
  await settle(deps.db, trade.transactionId, { txHash: hash, chargedAtomic: soldAtomic, chargedMicroUsd });
  const minimum = BigInt(trade.minBuyAtomic.toFixed(0));
  if (boughtAtomic !== null && boughtAtomic < minimum) {
    deps.logger.error({ tradeId: trade.id, txHash: hash }, "Swap returned less than its minimum");
    const received = `${formatDecimal(boughtAtomic, trade.buyDecimals)} ${trade.buySymbol}`;
    const failureReason = `The swap returned ${received}, less than the minimum. The sold amount is not refunded.`;
    return await endTrade(deps, trade, { status: "failed", failureReason, soldAtomic, boughtAtomic });
  }
  await endTrade(deps, trade, { status: "settled", failureReason: null, soldAtomic, boughtAtomic });
}

/** Revokes the allowance that the swap left, unless another trade in flight uses it: that trade sets its own allowance. */
export async function revokeLeftoverAllowance(
  deps: TradeDeps,
  wallet: SealedWallet,
  trade: Trade,
  approve: EvmTransaction,
): Promise<void> {
  const token = trade.sellToken as `0x${string}`;
  const others = await deps.db.prisma.evmTransaction.count({
    where: {
      walletId: wallet.id,
      purpose: "approve",
      status: { in: ["reserved", "signed"] },
      trade: { sellToken: trade.sellToken },
    },
  });
  if (others > 0) return;
  const { rpc } = deps.chains.evm(TRADE_NETWORK);
  const spender = spenderOf(approve.data);
  const args = [wallet.evmAddress, spender] as const;
  const leftAtomic = await rpc.request((client) =>
    client.readContract({ address: token, abi: erc20Abi, functionName: "allowance", args }),
  );
  if (leftAtomic === 0n) return;
  const sender = { walletId: wallet.id, address: wallet.evmAddress, network: trade.network };
  const revoke = {
    purpose: "revoke",
    ...approveCall(token, spender, 0n),
    valueWei: 0n,
    gasLimit: approveGasLimit(0n),
  } as const;
  await addTransaction(deps.db, rpc, sender, trade.id, revoke, await currentFees(rpc));
}

interface Ending {
  readonly status: "settled" | "failed";
  readonly failureReason: string | null;
  /** Null if the swap was not executed. */
  readonly soldAtomic?: bigint | null;
  readonly boughtAtomic?: bigint | null;
}

async function endTrade(
  deps: TradeDeps,
  trade: Trade,
  { status, failureReason, soldAtomic = null, boughtAtomic = null }: Ending,
): Promise<void> {
  const { count } = await deps.db.prisma.trade.updateMany({
    where: { id: trade.id, status: { notIn: ["settled", "failed"] } },
    data: {
      ...{ status, failureReason, updatedAt: new Date() },
      ...{ soldAtomic: soldAtomic?.toString() ?? null, boughtAtomic: boughtAtomic?.toString() ?? null },
    },
  });
  if (count === 0) return;
  publishTransaction(deps.pubsub, trade.accountId, trade.transactionId);
  publishTrade(deps.pubsub, trade.accountId, trade.id);
}

/** Returns the value of a part of the sale in micro-USD, rounded up so that rounding never exceeds a limit. */
function shareOf(microUsd: bigint, soldAtomic: bigint, sellAtomic: bigint): bigint {
  if (soldAtomic >= sellAtomic) return microUsd;
  return (microUsd * soldAtomic + sellAtomic - 1n) / sellAtomic;
}
