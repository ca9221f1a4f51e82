/** Prices and costs of calls. Prices are atto-USD (10⁻¹⁸ US dollars); costs are micro-USD, rounded up. No floating point. */
import type { Usage } from "./usage.ts";

const ATTO_PER_MICRO = 10n ** 12n;

/**
 * Classes that a provider may price apart, by their names in OpenRouter's price list. They are tokens read from the provider's cache,
 * written to it, of audio or of reasoning, and pictures.
 */
export const PRICE_CLASSES = [
  "input_cache_read",
  "input_cache_write",
  "audio",
  "audio_output",
  "internal_reasoning",
  "image",
] as const;
export type PriceClass = (typeof PRICE_CLASSES)[number];

export interface Prices {
  readonly promptAttoUsd: bigint;
  readonly completionAttoUsd: bigint;
  /** Flat price per call, in addition to its tokens. */
  readonly requestAttoUsd: bigint;
  /** Prices of classes that the list states. Others cost as much as other input or output; pictures then only their tokens. */
  readonly classAttoUsd: Readonly<Partial<Record<PriceClass, bigint>>>;
}

const toMicroUsd = (attoUsd: bigint): bigint => (attoUsd + ATTO_PER_MICRO - 1n) / ATTO_PER_MICRO;

/** Returns the cost of a call's usage, each token at the price of its class. */
export function calculateCostMicroUsd({ classAttoUsd, ...prices }: Prices, usage: Usage): bigint {
  const { promptAttoUsd, completionAttoUsd, requestAttoUsd } = prices;
  let [plainInput, plainOutput] = [usage.prompt, usage.completion];
  let attoUsd = requestAttoUsd + BigInt(usage.images) * (classAttoUsd.image ?? 0n);
  const addInput = (tokens: number, name: PriceClass) => {
    const counted = Math.min(tokens, plainInput);
    plainInput -= counted;
    attoUsd += BigInt(counted) * (classAttoUsd[name] ?? promptAttoUsd);
  };
  const addOutput = (tokens: number, name: PriceClass) => {
    const counted = Math.min(tokens, plainOutput);
    plainOutput -= counted;
    attoUsd += BigInt(counted) * (classAttoUsd[name] ?? completionAttoUsd);
  };
  addInput(usage.cacheWrite, "input_cache_write");
  addInput(usage.cacheRead, "input_cache_read");
  addInput(usage.audioPrompt, "audio");
  addOutput(usage.audioCompletion, "audio_output");
  addOutput(usage.reasoning, "internal_reasoning");
  return toMicroUsd(attoUsd + BigInt(plainInput) * promptAttoUsd + BigInt(plainOutput) * completionAttoUsd);
}

/** An upper bound, for reservations. No number, because a bound is never charged. */
export interface TokenBound {
  readonly atMostTokens: number;
}

/** Maximum usage of a call, for its reservation. */
export interface MaxUsage {
  readonly prompt: TokenBound;
  readonly images: number;
  readonly completionTokens: number;
}

/** Returns the maximum cost of a call: all tokens in the dearest class, since a provider may write its cache unrequested. */
export function calculateMaxCostMicroUsd(prices: Prices, { prompt, images, completionTokens }: MaxUsage): bigint {
  const { requestAttoUsd, completionAttoUsd, classAttoUsd } = prices;
  const { audio_output = 0n, internal_reasoning = 0n, image = 0n } = classAttoUsd;
  return toMicroUsd(
    requestAttoUsd +
      BigInt(images) * image +
      BigInt(prompt.atMostTokens) * getMaxInputAttoUsd(prices) +
      BigInt(completionTokens) * highest([completionAttoUsd, audio_output, internal_reasoning]),
  );
}

/** Returns the highest price of a token of input. */
export function getMaxInputAttoUsd({ promptAttoUsd, classAttoUsd }: Prices): bigint {
  const { input_cache_read = 0n, input_cache_write = 0n, audio = 0n } = classAttoUsd;
  return highest([promptAttoUsd, input_cache_read, input_cache_write, audio]);
}

function highest(prices: readonly bigint[]): bigint {
  const [first = 0n] = prices.toSorted((a, b) => (a < b ? 1 : -1));
  return first;
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

/** Returns the cost of a call: as the provider reports it if its configuration states the unit, or else from its usage. */
export function determineCostMicroUsd(prices: Prices, usage: Usage): bigint {
  return usage.reportedCostAttoUsd === null
    ? calculateCostMicroUsd(prices, usage)
    : toMicroUsd(usage.reportedCostAttoUsd);
}
