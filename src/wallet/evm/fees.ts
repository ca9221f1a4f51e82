/** Fees of the transactions of Satchel's wallets (EIP-1559). */

/** EIP-1559 fees in wei. */
export interface Fees {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

/** A multiple of the highest fee seen on the supported networks. A higher fee indicates a faulty or malicious RPC. */
export const MAX_FEE_PER_GAS_WEI = 1_000n * 10n ** 9n;
/** Factor 5/4. Nodes accept a replacement only if it raises both fees by at least 10 %. */
const RAISE_FRACTION = [5n, 4n] as const;

/**
 * Returns fees that replace a transaction with the `previous` fees and are sufficient for the current base fee. Returns null
 * if they exceed `MAX_FEE_PER_GAS_WEI`.
 */
export function raiseFees(previous: Fees, current: Fees): Fees | null {
  const raise = (fee: bigint) => (fee * RAISE_FRACTION[0]) / RAISE_FRACTION[1] + 1n;
  const larger = (a: bigint, b: bigint) => (a > b ? a : b);
  const maxPriorityFeePerGas = larger(raise(previous.maxPriorityFeePerGas), current.maxPriorityFeePerGas);
  const maxFeePerGas = larger(larger(raise(previous.maxFeePerGas), current.maxFeePerGas), maxPriorityFeePerGas);
  return maxFeePerGas > MAX_FEE_PER_GAS_WEI ? null : { maxFeePerGas, maxPriorityFeePerGas };
}
