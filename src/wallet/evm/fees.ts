/** Fees of the transactions of Satchel's wallets (EIP-1559). */

/** EIP-1559 fees in wei. */
export interface Fees {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

/** Factor 5/4. Nodes accept a replacement only if it raises both fees by at least 10 %. */
const RAISE_FRACTION = [5n, 4n] as const;

/**
 * Returns fees that replace a transaction with the `previous` fees and are sufficient for the current base fee. Returns null
 * if they exceed the network's maximum (`EvmNetwork.maxFeePerGasWei`).
 */
export function raiseFees(previous: Fees, current: Fees, maxFeePerGasWei: bigint): Fees | null {
  const raise = (fee: bigint) => (fee * RAISE_FRACTION[0]) / RAISE_FRACTION[1] + 1n;
  const larger = (a: bigint, b: bigint) => (a > b ? a : b);
  const maxPriorityFeePerGas = larger(raise(previous.maxPriorityFeePerGas), current.maxPriorityFeePerGas);
  const maxFeePerGas = larger(larger(raise(previous.maxFeePerGas), current.maxFeePerGas), maxPriorityFeePerGas);
  return maxFeePerGas > maxFeePerGasWei ? null : { maxFeePerGas, maxPriorityFeePerGas };
}
