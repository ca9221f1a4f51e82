/** Prices and costs of calls. Prices are atto-USD (10⁻¹⁸ US dollars); costs are micro-USD, rounded up. No floating point. */
import type { Usage } from "./usage.ts";

const ATTO_PER_MICRO = 10n ** 12n;

/**
 * Classes that a provider may price apart, by their names in OpenRouter's price list. They are tokens read from the provider's cache,
 * written to it for minutes or for an hour, of audio, of images or of reasoning. `image` is a price per picture of the prompt.
 */
export const PRICE_CLASSES = [
  "input_cache_read",
  "input_cache_write",
  "input_cache_write_1h",
  "audio",
  "audio_output",
  "image_token",
  "image_output",
  "internal_reasoning",
  "image",
] as const;
export type PriceClass = (typeof PRICE_CLASSES)[number];

export interface Rates {
  readonly promptAttoUsd: bigint;
  readonly completionAttoUsd: bigint;
  /** Flat price per call, in addition to its tokens. */
  readonly requestAttoUsd: bigint;
  /** Prices of classes that the list states. Others cost as much as other input or output; pictures then only their tokens. */
  readonly classAttoUsd: Readonly<Partial<Record<PriceClass, bigint>>>;
}

/** Rates of calls whose prompt has at least this many tokens. They apply to the whole call. */
export interface LongPromptRates extends Rates {
  readonly minPromptTokens: number;
}

/** The rates of a model in one service tier. */
export interface TierPrices extends Rates {
  /** Ordered by `minPromptTokens`. */
  readonly longPrompts?: readonly LongPromptRates[];
}

export interface Prices extends TierPrices {
  /** Prices of service tiers other than the standard one, by the name that the provider reports. */
  readonly tiers?: Readonly<Record<string, TierPrices>>;
}

const toMicroUsd = (attoUsd: bigint): bigint => (attoUsd + ATTO_PER_MICRO - 1n) / ATTO_PER_MICRO;

/** Returns the cost of a call's usage, each token at the price of its class. */
export function calculateCostMicroUsd(prices: TierPrices, usage: Usage): bigint {
  const rates = prices.longPrompts?.findLast(({ minPromptTokens }) => usage.prompt >= minPromptTokens) ?? prices;
  const { promptAttoUsd, completionAttoUsd, requestAttoUsd, classAttoUsd } = rates;
  let [plainInput, plainOutput] = [usage.prompt, usage.completion];
  let attoUsd = requestAttoUsd + BigInt(usage.images) * (classAttoUsd.image ?? 0n);
  const addInput = (tokens: number, classPriceAttoUsd: bigint | undefined) => {
    const counted = Math.min(tokens, plainInput);
    plainInput -= counted;
    attoUsd += BigInt(counted) * (classPriceAttoUsd ?? promptAttoUsd);
  };
  const addOutput = (tokens: number, classPriceAttoUsd: bigint | undefined) => {
    const counted = Math.min(tokens, plainOutput);
    plainOutput -= counted;
    attoUsd += BigInt(counted) * (classPriceAttoUsd ?? completionAttoUsd);
  };
  addInput(usage.cacheWrite1h, classAttoUsd.input_cache_write_1h ?? classAttoUsd.input_cache_write);
  addInput(usage.cacheWrite - usage.cacheWrite1h, classAttoUsd.input_cache_write);
  addInput(usage.cacheRead, classAttoUsd.input_cache_read);
  addInput(usage.audioPrompt, classAttoUsd.audio);
  addInput(usage.imagePrompt, classAttoUsd.image_token);
  addOutput(usage.audioCompletion, classAttoUsd.audio_output);
  addOutput(usage.imageCompletion, classAttoUsd.image_output);
  addOutput(usage.reasoning, classAttoUsd.internal_reasoning);
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
  /** The requested service tier; null for the standard one. */
  readonly tier: string | null;
}

/**
 * Returns the maximum cost of a call: all tokens in the dearest class, since a provider may write its cache unrequested. A provider may
 * serve the requested tier or the standard one.
 */
export function calculateMaxCostMicroUsd(prices: Prices, { prompt, images, completionTokens, tier }: MaxUsage): bigint {
  const costs = listRates(prices, tier, prompt).map((rates) => {
    const { requestAttoUsd, completionAttoUsd, classAttoUsd } = rates;
    const { audio_output = 0n, image_output = 0n, internal_reasoning = 0n, image = 0n } = classAttoUsd;
    return toMicroUsd(
      requestAttoUsd +
        BigInt(images) * image +
        BigInt(prompt.atMostTokens) * getMaxInputAttoUsd(rates) +
        BigInt(completionTokens) * highest([completionAttoUsd, audio_output, image_output, internal_reasoning]),
    );
  });
  return highest(costs);
}

/** Returns whether the cost of the requested tier depends on the prompt. */
export function isPromptPriced(prices: Prices, tier: string | null): boolean {
  const anyPrompt = { atMostTokens: Number.POSITIVE_INFINITY };
  return listRates(prices, tier, anyPrompt).length > 1 || getMaxInputAttoUsd(prices) > 0n;
}

function listRates(prices: Prices, tier: string | null, { atMostTokens }: TokenBound): Rates[] {
  return [prices, ...listRequestedTiers(prices, tier)].flatMap((one) => [
    one,
    ...(one.longPrompts ?? []).filter(({ minPromptTokens }) => minPromptTokens <= atMostTokens),
  ]);
}

/** Returns the prices of a requested tier other than the standard one. A tier without a price may cost as much as any. */
function listRequestedTiers(prices: Prices, tier: string | null): readonly TierPrices[] {
  const requested = tier === null ? undefined : findTier(prices, tier);
  if (requested) return [requested];
  return tier === null || STANDARD_TIERS.includes(tier) ? [] : Object.values(prices.tiers ?? {});
}

function getMaxInputAttoUsd({ promptAttoUsd, classAttoUsd }: Rates): bigint {
  const { input_cache_read = 0n, input_cache_write = 0n, input_cache_write_1h = 0n } = classAttoUsd;
  const { audio = 0n, image_token = 0n } = classAttoUsd;
  return highest([promptAttoUsd, input_cache_read, input_cache_write, input_cache_write_1h, audio, image_token]);
}

function highest(values: readonly bigint[]): bigint {
  let most = 0n;
  for (const value of values) if (value > most) most = value;
  return most;
}

/** Names of the standard tier at OpenAI, Google, Anthropic and Groq; and `flex`, which costs at most as much if it has no price. */
const STANDARD_TIERS: readonly string[] = ["auto", "default", "standard", "standard_only", "on_demand", "flex"];
/** Names that a provider serves, and reports, as another tier. */
const TIER_ALIASES: Readonly<Record<string, string>> = { fast: "priority" };

function findTier({ tiers = {} }: Prices, name: string): TierPrices | undefined {
  const known = Object.hasOwn(tiers, name) ? name : (TIER_ALIASES[name] ?? "");
  return Object.hasOwn(tiers, known) ? tiers[known] : undefined;
}

/** Returns whether the price of a requested service tier is known. */
export function isTierPriced(prices: Prices, tier: string): boolean {
  return STANDARD_TIERS.includes(tier) || findTier(prices, tier) !== undefined;
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

/**
 * Returns the cost of a call: as the provider reports it if its configuration states the unit, or else from its usage. The tier that
 * the provider states counts, or else the requested one. A tier without a price costs as much as the dearest one.
 */
export function determineCostMicroUsd(prices: Prices, usage: Usage, requestedTier: string | null): bigint {
  if (usage.reportedCostAttoUsd !== null) return toMicroUsd(usage.reportedCostAttoUsd);
  const tier = usage.servedTier ?? requestedTier;
  const tierPrices = tier === null ? prices : findTier(prices, tier);
  if (tierPrices) return calculateCostMicroUsd(tierPrices, usage);
  const candidates = [prices, ...listRequestedTiers(prices, tier)];
  return highest(candidates.map((one) => calculateCostMicroUsd(one, usage)));
}
