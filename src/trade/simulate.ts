/** Simulation of a swap and its approval on the current chain state, before anything is signed (`eth_simulateV1`). */
import { encodeFunctionData, erc20Abi, type Hex, hexToBigInt, multicall3Abi, numberToHex, parseAbi } from "viem";
import { MULTICALL3 } from "../wallet/evm/multicall.ts";
import type { EvmRpc } from "../wallet/evm/rpc.ts";
import { approveCall } from "./approval.ts";
import type { CheckedQuote, SwapOrder } from "./check-quote.ts";
import type { Token } from "./tokens.ts";
import { TradeFailedError } from "./trade-failure.ts";

const TOKEN = parseAbi(["function balanceOf(address owner) view returns (uint256)"]);

/** JSON-RPC error codes of nodes that do not implement the method. */
const UNKNOWN_METHOD: ReadonlySet<unknown> = new Set([-32601, -32004]);

interface SimulatedCall {
  readonly status: Hex;
  readonly returnData: Hex;
  readonly gasUsed: Hex;
}

/** Gas used by approval and swap; null if the node cannot simulate. */
export type Simulated = { readonly approveGas: bigint; readonly swapGas: bigint } | null;

/**
 * Simulates a swap and returns the gas used. A contract may behave differently on chain, where only the allowance and a minimum in
 * the call data limit the loss.
 *
 * @throws {TradeFailedError} when the simulation fails, sells more than the sold amount or buys less than the minimum
 * @throws {ChainUnavailableError}
 */
export async function simulateSwap(rpc: EvmRpc, quote: CheckedQuote, order: SwapOrder): Promise<Simulated> {
  const { sell, buy, sellAtomic, taker } = order;
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
    const refusal = await findTransferRefusal(rpc, quote, order);
    throw new TradeFailedError(
      refusal === null
        ? "The simulated swap failed. Nothing was signed. Request a new quote."
        : `The simulated swap failed: ${refusal}. Nothing was signed.`,
    );
  }
  const gas = { approveGas: approved ? hexToBigInt(approved.gasUsed) : 0n, swapGas: hexToBigInt(swapped.gasUsed) };
  const sold = amountIn(sellBefore) - amountIn(sellAfter);
  const bought = amountIn(buyAfter) - amountIn(buyBefore);
  if (sold > sellAtomic || bought < quote.minBuyAtomic) {
    const problem = sold > sellAtomic ? "sells more than the requested amount" : "buys less than the minimum";
    throw new TradeFailedError(`The simulated swap ${problem}. Nothing was signed.`);
  }
  return gas;
}

/**
 * Returns which token's contract refuses transfers of the wallet, as the issuers of some tokens can order, or null. The text of the
 * contract's error is not shown, since its author chooses it.
 */
async function findTransferRefusal(rpc: EvmRpc, { to }: CheckedQuote, order: SwapOrder): Promise<string | null> {
  const { sell, buy, sellAtomic, taker } = order;
  const transferCall = (token: Token, from: Hex, recipient: Hex, amountAtomic: bigint) => {
    const args = [recipient, amountAtomic] as const;
    return { from, to: token.address, data: encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args }) };
  };
  const [sent, received] =
    (await simulate(rpc, [
      sell.isNative ? { from: taker, to: taker } : transferCall(sell, taker, to, sellAtomic),
      buy.isNative ? { from: taker, to: taker } : transferCall(buy, to, taker, 0n),
    ])) ?? [];
  if (sent?.status === "0x0") return `the contract of ${sell.symbol} refuses transfers from the wallet`;
  return received?.status === "0x0" ? `the contract of ${buy.symbol} refuses transfers to the wallet` : null;
}

async function simulate(rpc: EvmRpc, calls: readonly object[]): Promise<SimulatedCall[] | null> {
  return await rpc.request(async (client) => {
    try {
      // Without validation no gas is charged, so only the swap changes the balances.
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
