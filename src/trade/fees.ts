/** What a transaction of the wallet's own may cost (EIP-1559). */
import type { EvmRpc } from "../wallet/evm-rpc.ts";
import { TradeFailedError } from "./trade-failure.ts";

export interface Fees {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFee: bigint;
}

/** Many times the dearest day of the network; an RPC that asks for more is lying or broken. */
const MAX_FEE_PER_GAS_WEI = 1_000n * 10n ** 9n;
/** Layer-2 networks charge for a transaction's data besides its gas: a fraction of this. */
const DATA_FEE_WEI = 10n ** 13n;
/** A replacement must offer at least a tenth more. */
const RAISE = [5n, 4n] as const;
const MIN_APPROVE_GAS = 90_000n;
const MAX_APPROVE_GAS = 250_000n;

/** @throws {TradeFailedError | ChainUnavailableError} */
export async function currentFees(rpc: EvmRpc): Promise<Fees> {
  const { maxFeePerGas, maxPriorityFeePerGas } = await rpc.ask((client) => client.estimateFeesPerGas());
  if (maxFeePerGas > MAX_FEE_PER_GAS_WEI) {
    throw new TradeFailedError("The network asks for more fees than a trade may cost. Nothing was signed.");
  }
  return { maxFeePerGas, maxPriorityFee: maxPriorityFeePerGas };
}

/** Enough to take the place of a transaction with `former`, and to be mined now. Null when that would be absurdly dear. */
export function raisedFees(former: Fees, current: Fees): Fees | null {
  const raise = (fee: bigint) => (fee * RAISE[0]) / RAISE[1] + 1n;
  const larger = (a: bigint, b: bigint) => (a > b ? a : b);
  const maxPriorityFee = larger(raise(former.maxPriorityFee), current.maxPriorityFee);
  const maxFeePerGas = larger(larger(raise(former.maxFeePerGas), current.maxFeePerGas), maxPriorityFee);
  return maxFeePerGas > MAX_FEE_PER_GAS_WEI ? null : { maxFeePerGas, maxPriorityFee };
}

/** The gas a swap may use: half as much again as was estimated, since pools move between estimate and block. */
export function swapGasLimit(estimatedGas: bigint): bigint {
  return (estimatedGas * 3n) / 2n + 50_000n;
}

/** @param simulatedGas 0 where nothing was simulated */
export function approveGasLimit(simulatedGas: bigint): bigint {
  const wanted = (simulatedGas * 3n) / 2n;
  if (wanted > MAX_APPROVE_GAS) throw new TradeFailedError("The sold token takes too much gas. Nothing was signed.");
  return wanted > MIN_APPROVE_GAS ? wanted : MIN_APPROVE_GAS;
}

/** The most that a transaction takes of the network's coin besides its value. */
export function maxCostWei(gasLimit: bigint, { maxFeePerGas }: Fees): bigint {
  return gasLimit * maxFeePerGas + DATA_FEE_WEI;
}
