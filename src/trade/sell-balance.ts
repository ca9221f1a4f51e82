/** The wallet's balance of the sold token. */
import { InvalidRequestError } from "../platform/errors.ts";
import { InsufficientBalanceError } from "../wallet/refusal-reason.ts";
import type { SwapOrder } from "./check-quote.ts";
import type { TradeDeps } from "./deps.ts";
import { assetOf, type Token, TRADE_NETWORK } from "./tokens.ts";

type Sale = Pick<SwapOrder, "sell" | "sellAtomic" | "taker">;

/** Returns the balance, at most 1.5 seconds old and including outstanding sales. @throws {ChainUnavailableError} */
export async function readSellBalance(
  { chains }: Pick<TradeDeps, "chains">,
  { sell, taker }: Omit<Sale, "sellAtomic">,
) {
  const chain = chains.evm(TRADE_NETWORK);
  return await (sell.isNative ? chain.nativeBalanceAtomic(taker) : chain.tokenBalanceAtomic(sell.address, taker));
}

/**
 * Checks the balance before the request to the exchange, which may report too large a sale as a lack of liquidity.
 *
 * @throws {InsufficientBalanceError | ChainUnavailableError}
 */
export async function assertSellBalance(deps: Pick<TradeDeps, "chains">, sale: Sale): Promise<void> {
  if ((await readSellBalance(deps, sale)) >= sale.sellAtomic) return;
  // The cached balance may predate a deposit.
  deps.chains.evm(TRADE_NETWORK).invalidateBalances(sale.taker);
  const balanceAtomic = await readSellBalance(deps, sale);
  if (balanceAtomic < sale.sellAtomic) throw createInsufficientSellError(sale.sell, balanceAtomic, sale.sellAtomic);
}

/**
 * Returns the whole balance to the smallest unit, less outstanding sales.
 *
 * @throws {InvalidRequestError} for the native coin, which pays the network fee
 * @throws {InsufficientBalanceError} when nothing is left
 */
export async function readWholeBalance(
  deps: Pick<TradeDeps, "chains" | "db">,
  wallet: { readonly id: string; readonly evmAddress: `0x${string}` },
  sell: Token,
): Promise<bigint> {
  if (sell.isNative) {
    const reason = "sellAll is not possible for the native coin, which pays the network fee. State sellAmount.";
    throw new InvalidRequestError(reason, "sellAll");
  }
  deps.chains.evm(TRADE_NETWORK).invalidateBalances(wallet.evmAddress);
  const [balanceAtomic, hold] = await Promise.all([
    readSellBalance(deps, { sell, taker: wallet.evmAddress }),
    deps.db.prisma.walletHold.findUnique({
      where: { walletId_network_asset: { walletId: wallet.id, network: TRADE_NETWORK, asset: assetOf(sell) } },
    }),
  ]);
  const freeAtomic = balanceAtomic - BigInt(hold?.outstandingAtomic.toFixed(0) ?? 0);
  if (freeAtomic <= 0n) throw createInsufficientSellError(sell, 0n, 1n);
  return freeAtomic;
}

/** Returns the error of a sale, in units of the sold token. For the native coin, the required amount includes the network fee. */
export function createInsufficientSellError(sell: Token, remainingAtomic: bigint, requiredAtomic: bigint) {
  const { symbol, decimals, isNative } = sell;
  const purpose = isNative ? " including the network fee" : "";
  const unit = { symbol, decimals, purpose };
  return new InsufficientBalanceError(TRADE_NETWORK, assetOf(sell), remainingAtomic, requiredAtomic, unit);
}
