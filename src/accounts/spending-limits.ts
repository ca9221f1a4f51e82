/** Limits of a credential for payments, in US dollars. */

/** Limits in micro-USD; null if no limit is set. */
export interface SpendingLimits {
  readonly perTransactionMicroUsd: bigint | null;
  readonly dailyMicroUsd: bigint | null;
  readonly monthlyMicroUsd: bigint | null;
}

/** Returns the lower of two limits; null means no limit. */
export function lowerLimit<Amount extends bigint | number>(one: Amount | null, other: Amount | null): Amount | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}
