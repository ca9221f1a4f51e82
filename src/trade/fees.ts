/** Gas limits and fees of a trade's transactions. */
import type { Fees } from "../wallet/evm/fees.ts";
import type { EvmRpc } from "../wallet/evm/rpc.ts";
import { TradeFailedError } from "./trade-failure.ts";

/** Upper estimate of the data fee that layer-2 networks charge in addition to gas. */
const DATA_FEE_WEI = 10n ** 13n;
const MIN_APPROVE_GAS = 90_000n;
const MAX_APPROVE_GAS = 250_000n;

/** Returns the network's current fees. @throws {TradeFailedError} above the limit; {ChainUnavailableError} */
export async function currentFees(rpc: EvmRpc): Promise<Fees> {
  const { maxFeePerGas, maxPriorityFeePerGas } = await rpc.request((client) => client.estimateFeesPerGas());
  if (maxFeePerGas > rpc.network.maxFeePerGasWei) {
    throw new TradeFailedError("The network fee exceeds the limit for trades. Nothing was signed. Retry later.");
  }
  return { maxFeePerGas, maxPriorityFeePerGas };
}

/** Returns the gas limit of a swap: 150% of the estimate plus 50,000, since pools change between estimate and block. */
export function swapGasLimit(estimatedGas: bigint): bigint {
  return (estimatedGas * 3n) / 2n + 50_000n;
}

/**
 * Returns the gas limit of an approval.
 * @param simulatedGas 0 if there was no simulation
 */
export function approveGasLimit(simulatedGas: bigint): bigint {
  const gasLimit = (simulatedGas * 3n) / 2n;
  if (gasLimit > MAX_APPROVE_GAS)
    throw new TradeFailedError("Approving the sold token uses too much gas. Nothing was signed.");
  return gasLimit > MIN_APPROVE_GAS ? gasLimit : MIN_APPROVE_GAS;
}

/** Returns the maximum cost of a transaction in wei, excluding its value. */
export function maxCostWei(gasLimit: bigint, { maxFeePerGas }: Fees): bigint {
  return gasLimit * maxFeePerGas + DATA_FEE_WEI;
}
