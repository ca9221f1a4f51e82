/**
 * What a quote must be before a key is touched. The aggregator chooses the call that the wallet makes, so it is held to what
 * it may choose: one of the configured contracts (0x's AllowanceHolder), which can take from the wallet only the token and the amount
 * that it was allowed to. Whatever lies behind that contract, no more than the sold amount can be lost.
 */
import { decodeFunctionData, encodeFunctionData, getAddress, type Hex, parseAbi } from "viem";
import { minBuyAmount } from "./amounts.ts";
import type { DexQuote } from "./dex.ts";
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

/** Swaps take a few hundred thousand; one that asks for more than this is not taken. */
const MAX_SWAP_GAS = 5_000_000n;

export interface Wanted {
  readonly sell: Token;
  readonly buy: Token;
  readonly sellAtomic: bigint;
  readonly slippageBps: number;
  readonly taker: Hex;
}

/** A quote that may be signed. */
export interface CheckedQuote {
  readonly buyAtomic: bigint;
  readonly minBuyAtomic: bigint;
  /** Who is allowed the sold amount, exactly; null for the network's coin. */
  readonly spender: Hex | null;
  readonly to: Hex;
  readonly data: Hex;
  readonly valueWei: bigint;
  /** As the aggregator estimates. */
  readonly gas: bigint;
  /** Whether the call itself is seen to demand the minimum, of the right token and for the wallet. */
  readonly showsMinimum: boolean;
}

/** @throws {TradeFailedError} saying what is wrong with it; nothing was signed. */
export function checkQuote(quote: DexQuote, wanted: Wanted, spenders: readonly Hex[]): CheckedQuote {
  const { sell, buy, sellAtomic } = wanted;
  const { transaction } = quote;
  const minBuyAtomic = minBuyAmount(quote.buyAtomic, wanted.slippageBps);
  demand(same(quote.sellToken, sell.address) && same(quote.buyToken, buy.address), "it is for other tokens");
  demand(quote.sellAtomic === sellAtomic, "it sells another amount");
  demand(quote.buyAtomic > 0n, "it brings nothing");
  demand(quote.minBuyAtomic >= minBuyAtomic, "it guarantees less than was asked for");
  demand(transaction.gas > 0n && transaction.gas <= MAX_SWAP_GAS, "it takes too much gas");
  demand(transaction.valueWei === (sell.isNative ? sellAtomic : 0n), "it sends another amount of the network's coin");
  const common = {
    buyAtomic: quote.buyAtomic,
    minBuyAtomic,
    to: getAddress(transaction.to),
    data: transaction.data,
    valueWei: transaction.valueWei,
    gas: transaction.gas,
  };
  if (isWrap(sell, buy)) {
    demand(same(transaction.to, WETH.address) && transaction.data === wrapCall(wanted), "it is no plain exchange");
    demand(quote.buyAtomic === sellAtomic, "it is no plain exchange");
    return { ...common, spender: null, showsMinimum: true };
  }
  demand(spenders.includes(common.to), "it calls a contract that is not known here");
  if (sell.isNative) return { ...common, spender: null, showsMinimum: demandsMinimum(common, wanted) };
  demand(quote.spender !== null && same(quote.spender, common.to), "it wants the allowance for another contract");
  const call = decode(EXEC, common.data);
  demand(call !== null, "its call is not understood");
  const [, token, amount] = call?.args ?? [];
  demand(token !== undefined && same(token, sell.address) && amount === sellAtomic, "it takes something else");
  return { ...common, spender: common.to, showsMinimum: demandsMinimum(common, wanted) };
}

/**
 * Looks for the minimum in the call, as far as its form is known: then it must be the right one. Some routes carry it elsewhere.
 */
function demandsMinimum({ data, minBuyAtomic }: { data: Hex; minBuyAtomic: bigint }, { buy, taker }: Wanted): boolean {
  const inner = decode(EXEC, data)?.args[4];
  const slippage = inner === undefined ? undefined : decode(EXECUTE, inner)?.args[0];
  if (!slippage || slippage.minAmountOut === 0n) return false;
  demand(same(slippage.recipient, taker), "it pays somebody else");
  demand(same(slippage.buyToken, buy.address), "it guarantees another token");
  demand(slippage.minAmountOut >= minBuyAtomic, "it guarantees less than was asked for");
  return true;
}

function wrapCall({ sell, sellAtomic }: Wanted): Hex {
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

function demand(isGiven: boolean, otherwise: string): asserts isGiven {
  if (!isGiven) throw new TradeFailedError(`The exchange's quote was refused: ${otherwise}. Nothing was signed.`);
}

function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
