/** Trying a swap against the chain's present state, with its approval, before anything is signed (`eth_simulateV1`). */
import { encodeFunctionData, type Hex, hexToBigInt, multicall3Abi, numberToHex, parseAbi } from "viem";
import { MULTICALL3 } from "../wallet/evm/readings.ts";
import type { EvmRpc } from "../wallet/evm/rpc.ts";
import { approveCall } from "./approval.ts";
import type { CheckedQuote, Wanted } from "./check-quote.ts";
import type { Token } from "./tokens.ts";
import { TradeFailedError } from "./trade-failure.ts";

const TOKEN = parseAbi(["function balanceOf(address owner) view returns (uint256)"]);

/** The node does not know the method: nothing was tried. */
const UNKNOWN_METHOD: ReadonlySet<unknown> = new Set([-32601, -32004]);

interface SimulatedCall {
  readonly status: Hex;
  readonly returnData: Hex;
  readonly gasUsed: Hex;
}

/** What approval and swap used of gas; null when this network's node cannot simulate. */
export type Simulated = { readonly approveGas: bigint; readonly swapGas: bigint } | null;

/**
 * A swap whose simulation takes more than the sold amount or brings less than the minimum is not signed. What a contract does in a
 * simulation it need not do again: the limits that hold on chain are the allowance and, where the call shows it, the minimum.
 * @throws {TradeFailedError | ChainUnavailableError}
 */
export async function simulateSwap(rpc: EvmRpc, quote: CheckedQuote, wanted: Wanted): Promise<Simulated> {
  const { sell, buy, sellAtomic, taker } = wanted;
  const balances = [sell, buy].map((token) => ({ from: taker, ...balanceCall(token, taker) }));
  const approval = quote.spender ? [{ from: taker, ...approveCall(sell.address, quote.spender, sellAtomic) }] : [];
  const swap = { from: taker, to: quote.to, data: quote.data, value: numberToHex(quote.valueWei) };
  const results = await simulate(rpc, [...balances, ...approval, swap, ...balances]);
  if (results === null) return null;
  const [sellBefore, buyBefore] = results;
  const [swapped, sellAfter, buyAfter] = results.slice(-3);
  const approved = approval.length > 0 ? results[2] : undefined;
  const hasFailed = [approved, swapped].some((call) => call !== undefined && call.status !== "0x1");
  if (!sellBefore || !buyBefore || !swapped || !sellAfter || !buyAfter || hasFailed) {
    throw new TradeFailedError(
      "The swap would fail on chain as things stand. Nothing was signed; ask for a new quote.",
    );
  }
  const gas = { approveGas: approved ? hexToBigInt(approved.gasUsed) : 0n, swapGas: hexToBigInt(swapped.gasUsed) };
  const sold = amountIn(sellBefore) - amountIn(sellAfter);
  const bought = amountIn(buyAfter) - amountIn(buyBefore);
  if (sold > sellAtomic || bought < quote.minBuyAtomic) {
    const what = sold > sellAtomic ? "take more than was to be sold" : "bring less than the minimum";
    throw new TradeFailedError(`The swap would ${what}. Nothing was signed.`);
  }
  return gas;
}

async function simulate(rpc: EvmRpc, calls: readonly object[]): Promise<SimulatedCall[] | null> {
  return await rpc.ask(async (client) => {
    try {
      // Without validation nobody pays for gas, so balances move by the swap alone.
      const parameters = [{ blockStateCalls: [{ calls }], validation: false, traceTransfers: false }, "latest"];
      const request = { method: "eth_simulateV1", params: parameters } as never;
      const [block] = (await client.request(request)) as unknown as { calls: SimulatedCall[] }[];
      return block?.calls ?? null;
    } catch (error) {
      if (UNKNOWN_METHOD.has((error as { code?: unknown }).code)) return null;
      throw error;
    }
  });
}

function balanceCall({ isNative, address }: Token, owner: Hex): { to: Hex; data: Hex } {
  return isNative
    ? { to: MULTICALL3, data: encodeFunctionData({ abi: multicall3Abi, functionName: "getEthBalance", args: [owner] }) }
    : { to: address, data: encodeFunctionData({ abi: TOKEN, functionName: "balanceOf", args: [owner] }) };
}

function amountIn({ status, returnData }: SimulatedCall): bigint {
  return status === "0x1" && returnData.length === 66 ? hexToBigInt(returnData) : 0n;
}
