/** What a trade's transactions may cost. */
import { type Fees, MAX_FEE_PER_GAS_WEI } from "../wallet/evm/fees.ts";
import type { EvmRpc } from "../wallet/evm/rpc.ts";
import { TradeFailedError } from "./trade-failure.ts";

/** Layer-2 networks charge for a transaction's data besides its gas: a fraction of this. */
const DATA_FEE_WEI = 10n ** 13n;
const MIN_APPROVE_GAS = 90_000n;
const MAX_APPROVE_GAS = 250_000n;

/** @throws {TradeFailedError | ChainUnavailableError} */
export async function currentFees(rpc: EvmRpc): Promise<Fees> {
  const { maxFeePerGas, maxPriorityFeePerGas } = await rpc.ask((client) => client.estimateFeesPerGas());
  if (maxFeePerGas > MAX_FEE_PER_GAS_WEI) {
    throw new TradeFailedError("The network asks for more fees than a trade may cost. Nothing was signed.");
  }
  return { maxFeePerGas, maxPriorityFeePerGas };
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
