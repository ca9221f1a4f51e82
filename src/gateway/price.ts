/** Prices and costs of tokens. Prices are atto-USD (10⁻¹⁸ US dollars) a token; costs are micro-USD, rounded up. No floating point. */

export const ATTO_USD_DECIMALS = 18;
const ATTO_PER_MICRO = 10n ** 12n;

export interface Prices {
  readonly promptAttoUsd: bigint;
  readonly completionAttoUsd: bigint;
  /** Flat price per call, in addition to its tokens. */
  readonly requestAttoUsd: bigint;
}

export interface TokenCounts {
  readonly prompt: number;
  readonly completion: number;
}

export function calculateCostMicroUsd(prices: Prices, { prompt, completion }: TokenCounts): bigint {
  const atto =
    BigInt(prompt) * prices.promptAttoUsd + BigInt(completion) * prices.completionAttoUsd + prices.requestAttoUsd;
  return (atto + ATTO_PER_MICRO - 1n) / ATTO_PER_MICRO;
}

/** Tolerance for providers behind X402, which may count tokens differently or charge a flat price. */
const TOLERANCE_PERCENT = 25n;
const TOLERANCE_MICRO_USD = 1_000n;

/** Returns the maximum payment to a provider behind X402 for a call with an expected maximum cost of `highestMicroUsd`. */
export function getMaxPaymentMicroUsd(highestMicroUsd: bigint): bigint {
  return (highestMicroUsd * (100n + TOLERANCE_PERCENT) + 99n) / 100n + TOLERANCE_MICRO_USD;
}

/** Returns the cost raised to the minimum charge. A cost of zero remains zero. */
export function applyMinimum(costMicroUsd: bigint, minimumMicroUsd: bigint): bigint {
  return costMicroUsd > 0n && costMicroUsd < minimumMicroUsd ? minimumMicroUsd : costMicroUsd;
}

/** Returns the cost limited to the reservation, regardless of the usage that a provider reports. */
export function limitToReservation(costMicroUsd: bigint, reservedMicroUsd: bigint): bigint {
  if (costMicroUsd > reservedMicroUsd) return reservedMicroUsd;
  return costMicroUsd;
}
