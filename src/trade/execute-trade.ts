/** Swapping tokens of the account's wallet (`POST /api/trade`, mutation `trade`). */
import type { Trade } from "../../generated/prisma/client.ts";
import { type AccountViewer, requireAccount, type Viewer } from "../accounts/viewer.ts";
import { reserveFromWallet } from "../payments/reserve-from-wallet.ts";
import { publishTransaction } from "../payments/transaction-events.ts";
import { IdempotencyInFlightError, IdempotencyKeyReusedError, runIdempotent } from "../platform/idempotency/claim.ts";
import { newId } from "../platform/ids.ts";
import type { Fees } from "../wallet/evm/fees.ts";
import { release } from "../wallet/ledger.ts";
import { InsufficientBalanceError } from "../wallet/refusal-reason.ts";
import { DuplicateReservationError } from "../wallet/reservation.ts";
import { admitTrade } from "./admit.ts";
import { approveCall } from "./approval.ts";
import { type CheckedQuote, checkQuote, type Wanted } from "./check-quote.ts";
import type { TradeDeps } from "./deps.ts";
import { driveTrade } from "./drive.ts";
import { approveGasLimit, currentFees, maxCostWei, swapGasLimit } from "./fees.ts";
import { commitSwap, type NewTransaction } from "./nonces.ts";
import { type Simulated, simulateSwap } from "./simulate.ts";
import { askMarket, readSwap, type SwapInput, termsOf } from "./swap-request.ts";
import { assetOf, ETH, TRADE_NETWORK } from "./tokens.ts";
import { publishTrade } from "./trade-events.ts";
import { TradeFailedError } from "./trade-failure.ts";
import { usdValueOf } from "./usd-value.ts";

export interface TradeInput extends SwapInput {
  readonly idempotencyKey: string | null;
}

/**
 * Reserves what is sold, at its value in US dollars, then approves, swaps and waits for the network. A trade that the network has
 * not taken in time is answered as it stands; the repeated job takes it to its end.
 * @throws {InvalidRequestError | UnsupportedTokenError | UnsupportedNetworkError | ForbiddenError | RateLimitedError |
 *   SpendingLimitExceededError | InsufficientBalanceError | TradeFailedError | TradingNotConfiguredError | DexUnavailableError |
 *   ChainUnavailableError | IdempotencyKeyReusedError | IdempotencyInFlightError}
 */
export async function executeTrade(deps: TradeDeps, viewer: Viewer | null, input: TradeInput): Promise<Trade> {
  const account = requireAccount(viewer);
  await admitTrade(deps.rateLimiter, account);
  const { idempotencyKey: key, ...request } = input;
  const { tradeId } =
    key === null
      ? await trade(deps, account, input)
      : await runIdempotent(deps.db, account.accountId, key, ["trade", account.budgetId, request], () =>
          trade(deps, account, input),
        );
  return await deps.db.prisma.trade.findUniqueOrThrow({ where: { id: tradeId } });
}

async function trade(deps: TradeDeps, account: AccountViewer, input: TradeInput): Promise<{ tradeId: string }> {
  const { dex, wanted } = await readSwap(deps, account, input);
  const { rpc } = deps.chains.evm(TRADE_NETWORK);
  const [offer, fees] = await Promise.all([
    askMarket(wanted, dex.quote(termsOf(wanted))),
    currentFees(rpc),
    rpc.checkChain(),
  ]);
  const quote = checkQuote(offer, wanted, deps.trading.spenders);
  const amountMicroUsd = await usdValueOf(dex, { ...wanted, buyAtomic: quote.buyAtomic });
  const tradeId = newId("trd");
  let transactionId: string;
  try {
    transactionId = await reserveSale(
      deps,
      account,
      { wanted, quote, fees, tradeId, amountMicroUsd },
      input.idempotencyKey,
    );
  } catch (error) {
    if (!(error instanceof DuplicateReservationError) || input.idempotencyKey === null) throw error;
    return { tradeId: await resume(deps, account, wanted, input.idempotencyKey) };
  }
  try {
    const sale = { wanted, quote, fees, tradeId, transactionId };
    await writeDown(deps, account, sale);
    await commit(deps, account, sale);
  } catch (error) {
    await giveBack(deps, account, tradeId, transactionId, (error as Error).message);
    throw error;
  }
  return answerOf(await driveTrade(deps, tradeId), await hashOf(deps, tradeId));
}

interface Sale {
  readonly wanted: Wanted;
  readonly quote: CheckedQuote;
  readonly fees: Fees;
  readonly tradeId: string;
}

/** Counts the sale against every limit. A sale of the network's coin holds its gas too. */
async function reserveSale(
  deps: TradeDeps,
  account: AccountViewer,
  { wanted, quote, fees, tradeId, amountMicroUsd }: Sale & { readonly amountMicroUsd: bigint },
  idempotencyKey: string | null,
): Promise<string> {
  const { sell, buy, sellAtomic } = wanted;
  const gasWei = sell.isNative ? maxCostWei(swapGasLimit(quote.gas), fees) : 0n;
  const own = await deps.wallets.ofAccount(account.accountId);
  const wallet = { id: own.id, address: own.evmAddress };
  try {
    return await reserveFromWallet(deps, wallet, {
      accountId: account.accountId,
      type: "trade",
      network: TRADE_NETWORK,
      asset: assetOf(sell),
      amountAtomic: sellAtomic + gasWei,
      amountMicroUsd,
      budgetIds: account.budgetIds,
      scheme: null,
      resource: null,
      payTo: quote.to,
      description: `${sell.symbol} for ${buy.symbol}`,
      authorization: { kind: "trade", tradeId },
      nonce: null,
      permitSlot: null,
      purchaseTokenId: null,
      validBefore: null,
      idempotencyKey,
    });
  } catch (error) {
    if (!(error instanceof InsufficientBalanceError)) throw error;
    throw new InsufficientBalanceError(TRADE_NETWORK, assetOf(sell), error.remainingAtomic, error.requiredAtomic, {
      symbol: sell.symbol,
      decimals: sell.decimals,
      purpose: sell.isNative ? " with the network's fee" : "",
    });
  }
}

/** A sale whose ledger row is there. */
interface ReservedSale extends Sale {
  readonly transactionId: string;
}

async function writeDown(deps: TradeDeps, { accountId }: AccountViewer, sale: ReservedSale): Promise<void> {
  const { wanted, quote, tradeId, transactionId } = sale;
  const { sell, buy, sellAtomic, slippageBps } = wanted;
  const { id: walletId } = await deps.wallets.ofAccount(accountId);
  await deps.db.prisma.trade.create({
    data: {
      id: tradeId,
      accountId,
      transactionId,
      walletId,
      network: TRADE_NETWORK,
      status: "pending",
      sellToken: assetOf(sell),
      sellSymbol: sell.symbol,
      sellDecimals: sell.decimals,
      sellAmountAtomic: sellAtomic.toString(),
      buyToken: assetOf(buy),
      buySymbol: buy.symbol,
      buyDecimals: buy.decimals,
      buyAmountAtomic: quote.buyAtomic.toString(),
      minBuyAtomic: quote.minBuyAtomic.toString(),
      slippageBps,
    },
  });
  publishTransaction(deps.pubsub, accountId, transactionId);
  publishTrade(deps.pubsub, accountId, tradeId);
}

/** Tries the swap, and commits the trade to its transactions. After this it is carried out, whatever becomes of this process. */
async function commit(deps: TradeDeps, { accountId }: AccountViewer, sale: ReservedSale): Promise<void> {
  const { wanted, quote, fees, tradeId, transactionId } = sale;
  const { rpc } = deps.chains.evm(TRADE_NETWORK);
  const transactions = transactionsOf(quote, wanted, await simulateSwap(rpc, quote, wanted));
  const { id: walletId } = await deps.wallets.ofAccount(accountId);
  const sender = { walletId, address: wanted.taker, network: TRADE_NETWORK };
  const swap = { transactionId, transactions, fees, isGasHeld: wanted.sell.isNative };
  const commitment = await commitSwap(deps.db, rpc, sender, swap);
  if (commitment.kind === "gone") throw new TradeFailedError("The trade took too long to prepare. Nothing was signed.");
  if (commitment.kind === "short") {
    const required = transactions.reduce((sum, { gasLimit }) => sum + maxCostWei(gasLimit, fees), 0n);
    const free = commitment.freeWei > 0n ? commitment.freeWei : 0n;
    const unit = { symbol: ETH.symbol, decimals: ETH.decimals, purpose: " for the network's fee" };
    throw new InsufficientBalanceError(TRADE_NETWORK, "native", free, required, unit);
  }
  publishTransaction(deps.pubsub, accountId, transactionId);
  publishTrade(deps.pubsub, accountId, tradeId);
}

/**
 * The approval, where one is needed, and the swap.
 * @throws {TradeFailedError} when the swap was not tried and shows no minimum, or takes more gas than was said
 */
function transactionsOf(quote: CheckedQuote, { sell, sellAtomic }: Wanted, simulated: Simulated): NewTransaction[] {
  if (!simulated && !quote.showsMinimum) {
    throw new TradeFailedError("The exchange's quote shows no minimum and cannot be tried here. Nothing was signed.");
  }
  const gasLimit = swapGasLimit(quote.gas);
  if (simulated && simulated.swapGas > gasLimit) {
    throw new TradeFailedError("The swap takes more gas than the exchange says. Nothing was signed.");
  }
  const swap = { purpose: "swap" as const, to: quote.to, data: quote.data, valueWei: quote.valueWei, gasLimit };
  if (!quote.spender) return [swap];
  const approval = approveCall(sell.address, quote.spender, sellAtomic);
  const approveGas = approveGasLimit(simulated?.approveGas ?? 0n);
  return [{ purpose: "approve", ...approval, valueWei: 0n, gasLimit: approveGas }, swap];
}

/** Only what is still reserved: once it is committed to its transactions it is carried out. The reservation outlives the trade, not the other way round. */
async function giveBack(
  deps: TradeDeps,
  { accountId }: AccountViewer,
  tradeId: string,
  transactionId: string,
  reason: string,
): Promise<void> {
  await deps.db.prisma.trade.updateMany({
    where: { id: tradeId, status: "pending" },
    data: { status: "failed", failureReason: reason, updatedAt: new Date() },
  });
  if (!(await release(deps.db, transactionId, reason, ["reserved"]))) return;
  publishTransaction(deps.pubsub, accountId, transactionId);
  publishTrade(deps.pubsub, accountId, tradeId);
}

/** The process that began it died before it answered. */
async function resume(
  deps: TradeDeps,
  { accountId }: AccountViewer,
  wanted: Wanted,
  idempotencyKey: string,
): Promise<string> {
  const where = { accountId_idempotencyKey: { accountId, idempotencyKey } };
  const begun = await deps.db.prisma.transaction.findUniqueOrThrow({ where });
  if (begun.type !== "trade") throw new IdempotencyKeyReusedError();
  const row = await deps.db.prisma.trade.findUnique({ where: { transactionId: begun.id } });
  // Reserved, and nothing was signed: soon it is given back, and the key is free again.
  if (!row || row.status === "pending") throw new IdempotencyInFlightError();
  const isSame =
    row.sellToken === assetOf(wanted.sell) &&
    row.buyToken === assetOf(wanted.buy) &&
    row.sellAmountAtomic.toFixed(0) === String(wanted.sellAtomic);
  if (!isSame) throw new IdempotencyKeyReusedError();
  return answerOf(await driveTrade(deps, row.id), await hashOf(deps, row.id)).tradeId;
}

/** @throws {TradeFailedError} when it failed */
function answerOf({ id, status, failureReason }: Trade, txHash: string | null): { tradeId: string } {
  if (status === "failed") throw new TradeFailedError(failureReason ?? "The swap failed on chain.", txHash, id);
  return { tradeId: id };
}

/** The hash of the trade's swap, once it has one. */
async function hashOf({ db }: TradeDeps, tradeId: string): Promise<string | null> {
  const swap = await db.prisma.evmTransaction.findFirst({ where: { tradeId, purpose: "swap" } });
  return swap?.txHash ?? null;
}
