/** Commitment of a reserved trade to its transactions. */
import type { AccountViewer } from "../accounts/viewer.ts";
import { publishTransaction } from "../payments/transaction-events.ts";
import { InsufficientBalanceError } from "../wallet/refusal-reason.ts";
import { approveCall } from "./approval.ts";
import type { CheckedQuote, SwapOrder } from "./check-quote.ts";
import type { TradeDeps } from "./deps.ts";
import type { Dex } from "./dex.ts";
import { approveGasLimit, maxCostWei, swapGasLimit } from "./fees.ts";
import { buyGas } from "./gas/buy-gas.ts";
import { commitSwap, type NewTransaction } from "./nonces.ts";
import type { ReservedSale } from "./reserve-sale.ts";
import { type Simulated, simulateSwap } from "./simulate.ts";
import { ETH, TRADE_NETWORK } from "./tokens.ts";
import { publishTrade } from "./trade-events.ts";
import { TradeFailedError } from "./trade-failure.ts";

/** Purchases of gas for one trade. Concurrent trades of the wallet may use what the first one bought. */
const MAX_GAS_PURCHASES = 2;

/**
 * Simulates the swap and stores the trade's transactions. After that, the recurring job completes the trade even after a crash. A
 * wallet whose native coin does not cover the network fee buys it from the treasury before.
 *
 * @throws {TradeFailedError | InsufficientBalanceError | SpendingLimitExceededError | DexUnavailableError}
 */
export async function commitTrade(
  deps: TradeDeps,
  account: AccountViewer,
  dex: Dex,
  sale: ReservedSale,
): Promise<void> {
  const { fees, tradeId, transactionId } = sale;
  for (let purchases = 0; ; purchases++) {
    const shortfall = await commitOnce(deps, account, sale, purchases > 0);
    if (shortfall === null) break;
    const amountWei = shortfall.requiredWei - shortfall.freeWei;
    const mayBuy = !sale.order.sell.isNative && purchases < MAX_GAS_PURCHASES;
    if (mayBuy && (await buyGas(deps, account, { tradeId, amountWei, fees, dex }))) continue;
    const free = shortfall.freeWei > 0n ? shortfall.freeWei : 0n;
    const unit = { symbol: ETH.symbol, decimals: ETH.decimals, purpose: " for the network fee" };
    throw new InsufficientBalanceError(TRADE_NETWORK, "native", free, shortfall.requiredWei, unit);
  }
  publishTransaction(deps.pubsub, account.accountId, transactionId);
  publishTrade(deps.pubsub, account.accountId, tradeId);
}

/** Returns null once the trade is committed, or the native coin that it lacks. The pools may move while gas is bought. */
async function commitOnce(deps: TradeDeps, { accountId }: AccountViewer, sale: ReservedSale, hasBoughtGas: boolean) {
  const { order, quote, fees, transactionId } = sale;
  const { rpc } = deps.chains.evm(TRADE_NETWORK);
  try {
    const transactions = transactionsOf(quote, order, await simulateSwap(rpc, quote, order));
    const { id: walletId } = await deps.wallets.ofAccount(accountId);
    const sender = { walletId, address: order.taker, network: TRADE_NETWORK };
    const swap = { transactionId, transactions, fees, isGasReserved: order.sell.isNative };
    const commitment = await commitSwap(deps.db, rpc, sender, swap);
    if (commitment.kind === "committed") return null;
    if (commitment.kind === "notReserved") {
      throw new TradeFailedError("Preparing the trade timed out. Nothing was signed. Retry the trade.");
    }
    const requiredWei = transactions.reduce((sum, { gasLimit }) => sum + maxCostWei(gasLimit, fees), 0n);
    return { freeWei: commitment.freeWei, requiredWei };
  } catch (error) {
    if (!hasBoughtGas || !(error instanceof TradeFailedError)) throw error;
    throw new TradeFailedError(`${error.message} The ETH bought for the network fee remains in the wallet.`);
  }
}

/**
 * Returns the transactions of the trade: the approval, if one is needed, and the swap.
 *
 * @throws {TradeFailedError} if the swap uses more gas than quoted, or neither the simulation nor the call enforces the minimum
 */
function transactionsOf(quote: CheckedQuote, { sell, sellAtomic }: SwapOrder, simulated: Simulated): NewTransaction[] {
  if (!simulated && !quote.enforcesMinimum) {
    throw new TradeFailedError(
      "The quoted swap enforces no minimum and cannot be simulated. Nothing was signed. Retry later for another quote.",
    );
  }
  const gasLimit = swapGasLimit(quote.gas);
  if (simulated && simulated.swapGas > gasLimit) {
    throw new TradeFailedError("The swap uses more gas than quoted. Nothing was signed. Retry for another quote.");
  }
  const swap = { purpose: "swap" as const, to: quote.to, data: quote.data, valueWei: quote.valueWei, gasLimit };
  if (!quote.spender) return [swap];
  const approval = approveCall(sell.address, quote.spender, sellAtomic);
  const approveGas = approveGasLimit(simulated?.approveGas ?? 0n);
  return [{ purpose: "approve", ...approval, valueWei: 0n, gasLimit: approveGas }, swap];
}
