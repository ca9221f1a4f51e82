/** What a transaction of a wallet of ours may cost (EIP-1559). */

/** In wei. */
export interface Fees {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

/** Many times the dearest day of the networks we serve; an RPC that asks for more is lying or broken. */
export const MAX_FEE_PER_GAS_WEI = 1_000n * 10n ** 9n;
/** A replacement must offer at least a tenth more. */
const RAISE = [5n, 4n] as const;

/** Enough to take the place of a transaction with `former`, and to be mined now. Null when that would be absurdly dear. */
export function raisedFees(former: Fees, current: Fees): Fees | null {
  const raise = (fee: bigint) => (fee * RAISE[0]) / RAISE[1] + 1n;
  const larger = (a: bigint, b: bigint) => (a > b ? a : b);
  const maxPriorityFeePerGas = larger(raise(former.maxPriorityFeePerGas), current.maxPriorityFeePerGas);
  const maxFeePerGas = larger(larger(raise(former.maxFeePerGas), current.maxFeePerGas), maxPriorityFeePerGas);
  return maxFeePerGas > MAX_FEE_PER_GAS_WEI ? null : { maxFeePerGas, maxPriorityFeePerGas };
}
