/** What tokens cost. Prices are atto-USD (10⁻¹⁸ US dollars) a token; costs are micro-USD, rounded up. No floating point. */

export const ATTO_USD_DECIMALS = 18;
const ATTO_PER_MICRO = 10n ** 12n;

export interface Prices {
  readonly promptAttoUsd: bigint;
  readonly completionAttoUsd: bigint;
  /** A flat price for each call, beside its tokens. */
  readonly requestAttoUsd: bigint;
}

export interface TokenCounts {
  readonly prompt: number;
  readonly completion: number;
}

export function costMicroUsd(prices: Prices, { prompt, completion }: TokenCounts): bigint {
  const atto =
    BigInt(prompt) * prices.promptAttoUsd + BigInt(completion) * prices.completionAttoUsd + prices.requestAttoUsd;
  return (atto + ATTO_PER_MICRO - 1n) / ATTO_PER_MICRO;
}

/** A provider behind X402 may count tokens in its own way, and charge a flat price: its bill may be this much higher. */
const TOLERANCE_PERCENT = 25n;
const TOLERANCE_MICRO_USD = 1_000n;

/** The most that is paid to a provider behind X402, for a call that should cost `highestMicroUsd` at most. */
export function maxPaymentMicroUsd(highestMicroUsd: bigint): bigint {
  return (highestMicroUsd * (100n + TOLERANCE_PERCENT) + 99n) / 100n + TOLERANCE_MICRO_USD;
}

/** What a cost comes to where every charge has a price of its own. What costs nothing is not charged. */
export function atLeast(costMicroUsd: bigint, minimumMicroUsd: bigint): bigint {
  return costMicroUsd > 0n && costMicroUsd < minimumMicroUsd ? minimumMicroUsd : costMicroUsd;
}

/** What is charged of a cost: never more than was reserved, whatever a provider says. */
export function atMost(costMicroUsd: bigint, reservedMicroUsd: bigint): bigint {
  if (costMicroUsd > reservedMicroUsd) return reservedMicroUsd;
  return costMicroUsd;
}
