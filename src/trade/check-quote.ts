/**
 * Validation of a quote before anything is signed. The aggregator chooses the call that the wallet makes, so the call is restricted
 * to the configured contracts (0x's AllowanceHolder). Such a contract can transfer only the approved token and amount from the wallet.
 * Regardless of the contracts it calls, at most the sold amount can be lost.
 */
import { decodeFunctionData, encodeFunctionData, getAddress, type Hex, parseAbi } from "viem";
import { maxSellAmount, minBuyAmount } from "./amounts.ts";
import type { DexQuote, SwapAmount } from "./dex.ts";
import { isWrap, type Token, WETH } from "./tokens.ts";
import { TradeFailedError } from "./trade-failure.ts";

const EXEC = parseAbi([
  "function exec(address operator, address token, uint256 amount, address target, bytes data) payable returns (bytes)",
]);
const EXECUTE = parseAbi([
  "struct AllowedSlippage { address recipient; address buyToken; uint256 minAmountOut; }",
  "function execute(AllowedSlippage slippage, bytes[] actions, bytes32 zid) payable returns (bool)",
]);
const WRAP = parseAbi(["function deposit() payable", "function withdraw(uint256 amount)"]);

/** Upper limit for the gas of a swap; usual swaps need a few hundred thousand. */
const MAX_SWAP_GAS = 5_000_000n;

/** A validated swap request. */
export interface SwapRequest {
  readonly sell: Token;
  readonly buy: Token;
  readonly amount: SwapAmount;
  readonly slippageBps: number;
  readonly taker: Hex;
}

/** A swap request with a quote. */
export interface SwapOrder extends SwapRequest {
  /** The most that is sold, which is reserved and approved. */
  readonly sellAtomic: bigint;
}

/** A validated quote, which may be signed. */
export interface CheckedQuote {
  /** What the quote sells, without slippage. */
  readonly quotedSellAtomic: bigint;
  /** The most that the quote sells. */
  readonly sellAtomic: bigint;
  readonly buyAtomic: bigint;
  readonly minBuyAtomic: bigint;
  /** The contract that is approved for exactly the sold amount; null for the native coin. */
  readonly spender: Hex | null;
  readonly to: Hex;
  readonly data: Hex;
  readonly valueWei: bigint;
  /** The aggregator's estimate. */
  readonly gas: bigint;
  /** Whether the call data visibly enforces the minimum, for the right token and for the wallet. */
  readonly enforcesMinimum: boolean;
}

/** Validates a quote against the request. @throws {TradeFailedError} with the mismatch; nothing was signed */
export function checkQuote(quote: DexQuote, request: SwapRequest, spenders: readonly Hex[]): CheckedQuote {
  const { sell, buy, amount } = request;
  const { transaction } = quote;
  const isExactPurchase = amount.side === "buy";
  const sellAtomic = isExactPurchase ? quote.maxSellAtomic : amount.atomic;
  const minBuyAtomic = isExactPurchase ? amount.atomic : minBuyAmount(quote.buyAtomic, request.slippageBps);
  assertQuote(
    isSameAddress(quote.sellToken, sell.address) && isSameAddress(quote.buyToken, buy.address),
    "it is for other tokens",
  );
  if (isExactPurchase) {
    assertQuote(quote.sellAtomic > 0n && quote.sellAtomic <= sellAtomic, "it sells another amount");
    assertQuote(
      sellAtomic <= maxSellAmount(quote.sellAtomic, request.slippageBps),
      "it sells more than the slippage tolerance",
    );
    assertQuote(quote.buyAtomic >= amount.atomic, "it buys less than the requested amount");
  } else {
    assertQuote(quote.sellAtomic === sellAtomic, "it sells another amount");
    assertQuote(quote.buyAtomic > 0n, "it buys nothing");
  }
  assertQuote(quote.minBuyAtomic >= minBuyAtomic, "it guarantees less than the requested minimum");
  assertQuote(transaction.gas > 0n && transaction.gas <= MAX_SWAP_GAS, "it uses too much gas");
  assertQuote(transaction.valueWei === (sell.isNative ? sellAtomic : 0n), "it sends another amount of the native coin");
  const order = { ...request, sellAtomic };
  const common = {
    quotedSellAtomic: quote.sellAtomic,
    sellAtomic,
    buyAtomic: quote.buyAtomic,
    minBuyAtomic,
    to: getAddress(transaction.to),
    data: transaction.data,
    valueWei: transaction.valueWei,
    gas: transaction.gas,
  };
  if (isWrap(sell, buy)) {
    assertQuote(
      isSameAddress(transaction.to, WETH.address) && transaction.data === wrapCall(order),
      "it does not wrap or unwrap",
    );
    assertQuote(quote.buyAtomic === sellAtomic && minBuyAtomic <= sellAtomic, "it does not wrap or unwrap");
    return { ...common, spender: null, enforcesMinimum: true };
  }
  assertQuote(spenders.includes(common.to), "it calls an unknown contract");
  if (sell.isNative) return { ...common, spender: null, enforcesMinimum: checkMinimum(common, order) };
  assertQuote(
    quote.spender !== null && isSameAddress(quote.spender, common.to),
    "it requires an allowance for another contract",
  );
  const call = decode(EXEC, common.data);
  assertQuote(call !== null, "its call cannot be decoded");
  const [, token, transferred] = call?.args ?? [];
  assertQuote(
    token !== undefined && isSameAddress(token, sell.address) && transferred === sellAtomic,
    "it transfers another token or amount",
  );
  return { ...common, spender: common.to, enforcesMinimum: checkMinimum(common, order) };
}

/** Returns whether the call data contains the minimum in the known form, and validates it. Some routes encode it differently. */
function checkMinimum({ data, minBuyAtomic }: { data: Hex; minBuyAtomic: bigint }, { buy, taker }: SwapOrder): boolean {
  const inner = decode(EXEC, data)?.args[4];
  const slippage = inner === undefined ? undefined : decode(EXECUTE, inner)?.args[0];
  if (!slippage || slippage.minAmountOut === 0n) return false;
  assertQuote(isSameAddress(slippage.recipient, taker), "it pays another recipient");
  assertQuote(isSameAddress(slippage.buyToken, buy.address), "it guarantees another token");
  assertQuote(slippage.minAmountOut >= minBuyAtomic, "it guarantees less than the requested minimum");
  return true;
}

function wrapCall({ sell, sellAtomic }: SwapOrder): Hex {
  return sell.isNative
    ? encodeFunctionData({ abi: WRAP, functionName: "deposit" })
    : encodeFunctionData({ abi: WRAP, functionName: "withdraw", args: [sellAtomic] });
}

function decode<const Abi extends typeof EXEC | typeof EXECUTE>(abi: Abi, data: Hex) {
  try {
    return decodeFunctionData({ abi, data });
  } catch {
    return null;
  }
}

function assertQuote(isMet: boolean, mismatch: string): asserts isMet {
  if (!isMet) throw new TradeFailedError(`The exchange's quote was refused: ${mismatch}. Nothing was signed.`);
}

function isSameAddress(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
