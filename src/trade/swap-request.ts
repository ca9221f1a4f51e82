/** What a caller asks to swap, checked. The same for a quote and a trade. */
import { type AccountViewer, requireScope } from "../accounts/viewer.ts";
import { ForbiddenError, InvalidRequestError } from "../platform/errors.ts";
import { UnsupportedNetworkError } from "../wallet/served-network.ts";
import { readSellAmount, readSlippage } from "./amounts.ts";
import type { Wanted } from "./check-quote.ts";
import type { TradeDeps } from "./deps.ts";
import { type Dex, NoMarketError, TradingNotConfiguredError } from "./dex.ts";
import { findToken, UnsupportedTokenError } from "./find-token.ts";
import { type Token, TRADE_NETWORK } from "./tokens.ts";

export interface SwapInput {
  /** A symbol or a contract's address. */
  readonly sellToken: string;
  readonly buyToken: string;
  /** In whole tokens, as a decimal. */
  readonly sellAmount: string;
  readonly slippagePercentage: number | null;
  /** Default `base`, the only one. */
  readonly network: string | null;
}

/** @throws {TradingNotConfiguredError | UnsupportedNetworkError | UnsupportedTokenError | InvalidRequestError | ChainUnavailableError} */
export async function readSwap(
  deps: TradeDeps,
  account: AccountViewer,
  input: SwapInput,
): Promise<{ wanted: Wanted; dex: Dex }> {
  const network = input.network ?? TRADE_NETWORK;
  if (network !== TRADE_NETWORK) {
    throw new UnsupportedNetworkError(network, [TRADE_NETWORK], "network", "is not traded on");
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
  if (sell.address === buy.address)
    throw new InvalidRequestError("buyToken must be another than what is sold.", "buyToken");
  const sellAtomic = readSellAmount(input.sellAmount, sell);
  return { dex, wanted: { sell, buy, sellAtomic, slippageBps, taker: wallet.evmAddress } };
}

/**
 * A token narrowed to payees or hosts pays those; a swap would turn its money into something else.
 * @throws {ForbiddenError} when the credential may not trade
 */
export function requireTrader(account: AccountViewer): void {
  requireScope(account, "payments:sign");
  const { rules } = account;
  if (!rules.networks.includes(TRADE_NETWORK)) {
    throw new ForbiddenError(`This token may not pay on ${TRADE_NETWORK}. No money moved.`);
  }
  if (rules.allowedPayees.length > 0 || rules.allowedHosts.length > 0) {
    throw new ForbiddenError("This token may pay certain recipients only, and not trade. No money moved.");
  }
}

export function termsOf({ sell, buy, sellAtomic, slippageBps, taker }: Wanted) {
  return { sellToken: sell.address, buyToken: buy.address, sellAtomic, slippageBps, taker };
}

/** Asks the aggregator; tells the caller when there is nothing to trade with. */
export async function askMarket<Answer>(
  { sell, buy }: { sell: Token; buy: Token },
  ask: Promise<Answer>,
): Promise<Answer> {
  try {
    return await ask;
  } catch (error) {
    if (!(error instanceof NoMarketError)) throw error;
    if (error.isTooLittle) throw new InvalidRequestError("sellAmount is too small to be traded.", "sellAmount");
    const pair = `${sell.symbol} for ${buy.symbol}`;
    throw new UnsupportedTokenError(`Nobody exchanges ${pair} in this amount right now. No money moved.`, null);
  }
}
