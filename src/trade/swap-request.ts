/** Validation of swap requests, shared by quotes and trades. */
import { type AccountViewer, requireScope } from "../accounts/viewer.ts";
import { ForbiddenError, InvalidRequestError } from "../platform/errors.ts";
import { UnsupportedNetworkError } from "../wallet/served-network.ts";
import { readSellAmount, readSlippage } from "./amounts.ts";
import type { SwapOrder } from "./check-quote.ts";
import type { TradeDeps } from "./deps.ts";
import { type Dex, NoMarketError, TradingNotConfiguredError } from "./dex.ts";
import { findToken, UnsupportedTokenError } from "./find-token.ts";
import { type Token, TRADE_NETWORK } from "./tokens.ts";

export interface SwapInput {
  /** Symbol or contract address. */
  readonly sellToken: string;
  readonly buyToken: string;
  /** Amount in tokens as a decimal. */
  readonly sellAmount: string;
  readonly slippagePercentage: number | null;
  /** Default `base`, the only supported network. */
  readonly network: string | null;
}

/**
 * Validates a swap request and resolves its tokens.
 *
 * @throws {TradingNotConfiguredError | UnsupportedNetworkError | UnsupportedTokenError | InvalidRequestError | ChainUnavailableError}
 */
export async function readSwap(
  deps: TradeDeps,
  account: AccountViewer,
  input: SwapInput,
): Promise<{ order: SwapOrder; dex: Dex }> {
  const network = input.network ?? TRADE_NETWORK;
  if (network !== TRADE_NETWORK) {
    throw new UnsupportedNetworkError(network, [TRADE_NETWORK], "network", "does not support trading");
  }
  if (!deps.chains.networks.includes(network)) throw new UnsupportedNetworkError(network, []);
  const { dex } = deps.trading;
  if (!dex) throw new TradingNotConfiguredError();
  const slippageBps = readSlippage(input.slippagePercentage);
  const [sell, buy, wallet] = await Promise.all([
    findToken(deps, input.sellToken, "sellToken"),
    findToken(deps, input.buyToken, "buyToken"),
    deps.wallets.ofAccount(account.accountId),
  ]);
  if (sell.address === buy.address) throw new InvalidRequestError("buyToken must differ from sellToken.", "buyToken");
  const sellAtomic = readSellAmount(input.sellAmount, sell);
  return { dex, order: { sell, buy, sellAtomic, slippageBps, taker: wallet.evmAddress } };
}

/**
 * Checks that the credential may trade. A token limited to payees or hosts may not, because a swap pays neither.
 *
 * @throws {ForbiddenError} when the credential may not trade
 */
export function requireTrader(account: AccountViewer): void {
  requireScope(account, "trade:execute");
  const { rules } = account;
  if (!rules.networks.includes(TRADE_NETWORK)) {
    throw new ForbiddenError(`This token may not pay on ${TRADE_NETWORK}. No payment was made.`);
  }
  if (rules.allowedPayees.length > 0 || rules.allowedHosts.length > 0) {
    throw new ForbiddenError("This token may only pay certain recipients, so it may not trade. No payment was made.");
  }
}

export function termsOf({ sell, buy, sellAtomic, slippageBps, taker }: SwapOrder) {
  return { sellToken: sell.address, buyToken: buy.address, sellAtomic, slippageBps, taker };
}

/**
 * Awaits an aggregator request and translates `NoMarketError`.
 *
 * @throws {InvalidRequestError} when the amount is too small; {UnsupportedTokenError} when there is no liquidity
 */
export async function translateMarketErrors<Result>(
  { sell, buy }: { sell: Token; buy: Token },
  request: Promise<Result>,
): Promise<Result> {
  try {
    return await request;
  } catch (error) {
    if (!(error instanceof NoMarketError)) throw error;
    if (error.isTooLittle) throw new InvalidRequestError("sellAmount is too small to be traded.", "sellAmount");
    const pair = `${sell.symbol} for ${buy.symbol}`;
    throw new UnsupportedTokenError(`No liquidity for ${pair} in this amount. No payment was made.`, null);
  }
}
