/** Validation of swap requests, shared by quotes and trades. */
import { type AccountViewer, requireScope } from "../accounts/viewer.ts";
import { ForbiddenError, InvalidRequestError, type ServiceError } from "../platform/errors.ts";
import { UnsupportedNetworkError } from "../wallet/served-network.ts";
import { readAmount, readSlippage } from "./amounts.ts";
import type { SwapRequest } from "./check-quote.ts";
import type { TradeDeps } from "./deps.ts";
import { type Dex, DexRefusalError, type SwapAmount, type SwapTerms, TradingNotConfiguredError } from "./dex.ts";
import { findToken, UnsupportedTokenError } from "./find-token.ts";
import { createInsufficientSellError, readSellBalance, readWholeBalance } from "./sell-balance.ts";
import { isWrap, TRADE_NETWORK } from "./tokens.ts";

export interface SwapInput {
  /** Symbol or contract address. */
  readonly sellToken: string;
  readonly buyToken: string;
  /** Amount in tokens as a decimal; null with `sellAll` or `buyAmount`. */
  readonly sellAmount: string | null;
  /** Whether to sell the whole balance that no outstanding trade sells. */
  readonly sellAll: boolean;
  /** Amount to buy at least, in tokens as a decimal. The exchange determines what is sold. */
  readonly buyAmount: string | null;
  readonly slippagePercentage: number | null;
  /** Default `base`, the only supported network. */
  readonly network: string | null;
}

/**
 * Validates a swap request and resolves its tokens.
 *
 * @param reservedAtomic amount that an earlier request with the same key reserved; null if there is none
 * @throws {TradingNotConfiguredError | UnsupportedNetworkError | UnsupportedTokenError | InvalidRequestError | ChainUnavailableError}
 */
export async function readSwap(
  deps: TradeDeps,
  account: AccountViewer,
  input: SwapInput,
  reservedAtomic: bigint | null = null,
): Promise<{ request: SwapRequest; dex: Dex }> {
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
  const taker = wallet.evmAddress;
  assertOneAmount(input);
  const readSwapAmount = async (): Promise<SwapAmount> => {
    if (input.buyAmount !== null) return { side: "buy", atomic: readAmount(input.buyAmount, buy, "buyAmount") };
    if (input.sellAmount !== null) return { side: "sell", atomic: readAmount(input.sellAmount, sell, "sellAmount") };
    return { side: "sell", atomic: reservedAtomic ?? (await readWholeBalance(deps, wallet, sell)) };
  };
  return { dex, request: { sell, buy, amount: await readSwapAmount(), slippageBps, taker } };
}

/** @throws {InvalidRequestError} */
function assertOneAmount({ sellAmount, sellAll, buyAmount }: SwapInput): void {
  if ([sellAmount !== null, sellAll, buyAmount !== null].filter(Boolean).length === 1) return;
  const problem = "Exactly one of sellAmount, sellAll and buyAmount is required.";
  throw new InvalidRequestError(problem, buyAmount === null ? "sellAmount" : "buyAmount");
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

/** Returns the terms of a request. Wrapping and unwrapping has no exact purchase at 0x, and needs none: both amounts are the same. */
export function termsOf({ sell, buy, amount, slippageBps, taker }: SwapRequest): SwapTerms {
  const tokens = { sellToken: sell.address, buyToken: buy.address, taker };
  return amount.side === "buy" && isWrap(sell, buy)
    ? { ...tokens, amount: { side: "sell", atomic: amount.atomic }, slippageBps: 0 }
    : { ...tokens, amount, slippageBps };
}

/**
 * Awaits an aggregator request and translates its refusal.
 *
 * @throws {InvalidRequestError} when the amount is too small or the wallet is refused
 * @throws {UnsupportedTokenError} when a token is refused or there is no liquidity
 * @throws {InsufficientBalanceError | ChainUnavailableError}
 */
export async function translateRefusals<Result>(
  deps: Pick<TradeDeps, "chains">,
  request: SwapRequest,
  response: Promise<Result>,
): Promise<Result> {
  try {
    return await response;
  } catch (error) {
    if (!(error instanceof DexRefusalError)) throw error;
    if (error.reason !== "insufficient_balance") throw toServiceError(request, error);
    const { sell, amount } = request;
    const balanceAtomic = await readSellBalance(deps, request);
    // The exchange does not state what an exact purchase would have sold.
    throw createInsufficientSellError(sell, balanceAtomic, amount.side === "sell" ? amount.atomic : balanceAtomic + 1n);
  }
}

function toServiceError({ sell, buy, amount }: SwapRequest, { reason, side }: DexRefusalError): ServiceError {
  const field = `${amount.side}Amount`;
  const token = side === null ? `${sell.symbol} or ${buy.symbol}` : side === "sellToken" ? sell.symbol : buy.symbol;
  switch (reason) {
    case "too_little":
      return new InvalidRequestError(`${field} is too small to be traded.`, field);
    case "invalid_amount":
      return new InvalidRequestError("The exchange refuses the amount. No payment was made.", field);
    case "taker":
      return new InvalidRequestError(
        "The exchange refuses trades of this wallet's address. No payment was made.",
        null,
      );
    case "unknown_token":
      return new UnsupportedTokenError(`The exchange does not trade ${token}. No payment was made.`, side);
    case "restricted_token":
      return new UnsupportedTokenError(
        `The exchange may not trade ${token} for legal reasons. No payment was made.`,
        side,
      );
    default:
      return new UnsupportedTokenError(
        `No liquidity for ${sell.symbol} for ${buy.symbol} in this amount. No payment was made.`,
        null,
      );
  }
}
