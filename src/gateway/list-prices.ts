/** Prices of models, from OpenRouter's format of price lists or from the provider configuration. */
import { z } from "zod";
import { usdPrice } from "./decimal-price.ts";
import { type LongPromptRates, PRICE_CLASSES, type PriceClass, type Prices, type Rates } from "./price.ts";
import type { ModelConfig, RatesConfig } from "./provider-config.ts";

const classPrices = Object.fromEntries(PRICE_CLASSES.map((name) => [name, usdPrice.nullish()])) as Record<
  PriceClass,
  z.ZodOptional<z.ZodNullable<typeof usdPrice>>
>;

/** Prices under conditions, such as for long prompts. Prices that it does not state are those of the list. */
const override = z.looseObject({
  ...{ prompt: usdPrice.nullish(), completion: usdPrice.nullish(), request: usdPrice.nullish(), ...classPrices },
  min_prompt_tokens: z.int().nonnegative().nullish(),
});
type Override = z.output<typeof override>;

/** `pricing` of a listed model: US dollars per token, per picture (`image`) and per call (`request`). */
export const listedPricing = z.looseObject({
  ...{ prompt: usdPrice, completion: usdPrice, request: usdPrice.nullish(), ...classPrices },
  overrides: z.array(override).max(50).nullish(),
});
type ListedPricing = z.output<typeof listedPricing>;

/** The members of an override that are neither prices nor the length of the prompt, such as times, are conditions of other kinds. */
const PRICE_NAMES: readonly string[] = ["prompt", "completion", "request", ...PRICE_CLASSES];
const hasOtherCondition = (given: Override) =>
  Object.entries(given).some(
    ([name, value]) => value != null && name !== "min_prompt_tokens" && !PRICE_NAMES.includes(name),
  );

/**
 * Returns the prices of a listed model. Among the overrides for a prompt's length, later ones win. An override under another condition,
 * such as a time of day, counts where it is dearer.
 */
export function createListedPrices({ overrides, ...pricing }: ListedPricing): Prices {
  const base = toRates(pricing);
  const list = overrides ?? [];
  const ratesFrom = (promptTokens: number): Rates =>
    list.reduce((rates, given) => {
      const isLongEnough = promptTokens >= (given.min_prompt_tokens ?? 0);
      if (!isLongEnough) return rates;
      const overridden = overrideRates(rates, given);
      return hasOtherCondition(given) ? selectDearest(rates, overridden) : overridden;
    }, base);
  const lengths = new Set(list.map((given) => given.min_prompt_tokens ?? 0));
  const longPrompts: LongPromptRates[] = [...lengths]
    .filter((minPromptTokens) => minPromptTokens > 0)
    .toSorted((a, b) => a - b)
    .map((minPromptTokens) => ({ minPromptTokens, ...ratesFrom(minPromptTokens) }));
  return { ...ratesFrom(0), longPrompts };
}

function toRates(pricing: Pick<ListedPricing, "prompt" | "completion" | "request" | PriceClass>): Rates {
  return {
    promptAttoUsd: pricing.prompt,
    completionAttoUsd: pricing.completion,
    requestAttoUsd: pricing.request ?? 0n,
    classAttoUsd: omitMissing(pricing),
  };
}

function overrideRates(rates: Rates, given: Override): Rates {
  return {
    promptAttoUsd: given.prompt ?? rates.promptAttoUsd,
    completionAttoUsd: given.completion ?? rates.completionAttoUsd,
    requestAttoUsd: given.request ?? rates.requestAttoUsd,
    classAttoUsd: { ...rates.classAttoUsd, ...omitMissing(given) },
  };
}

function selectDearest(one: Rates, other: Rates): Rates {
  const dearest = (a: bigint | undefined, b: bigint | undefined) => (a !== undefined && (b ?? 0n) <= a ? a : b);
  const classes = PRICE_CLASSES.map((name) => [name, dearest(one.classAttoUsd[name], other.classAttoUsd[name])]);
  return {
    promptAttoUsd: dearest(one.promptAttoUsd, other.promptAttoUsd) ?? 0n,
    completionAttoUsd: dearest(one.completionAttoUsd, other.completionAttoUsd) ?? 0n,
    requestAttoUsd: dearest(one.requestAttoUsd, other.requestAttoUsd) ?? 0n,
    classAttoUsd: omitMissing(Object.fromEntries(classes)),
  };
}

/** Returns the prices of a configured model. Each tier and each length of prompts states all of its prices. */
export function createConfiguredPrices(model: ModelConfig): Prices {
  const tiers = Object.entries(model.serviceTiers).map(([name, tier]) => [name, toTier(tier)] as const);
  return { ...toTier(model), tiers: Object.fromEntries(tiers) };
}

function toTier({ longPrompts, ...rates }: RatesConfig & Pick<ModelConfig, "longPrompts">) {
  return {
    ...toConfiguredRates(rates),
    longPrompts: longPrompts
      .toSorted((a, b) => a.minPromptTokens - b.minPromptTokens)
      .map((given) => ({ minPromptTokens: given.minPromptTokens, ...toConfiguredRates(given) })),
  };
}

function toConfiguredRates(given: RatesConfig): Rates {
  return {
    promptAttoUsd: given.promptUsdPerToken,
    completionAttoUsd: given.completionUsdPerToken,
    requestAttoUsd: given.requestUsd ?? 0n,
    classAttoUsd: omitMissing({
      input_cache_read: given.cacheReadUsdPerToken,
      input_cache_write: given.cacheWriteUsdPerToken,
      input_cache_write_1h: given.cacheWrite1hUsdPerToken,
      audio: given.audioUsdPerToken,
      audio_output: given.audioOutputUsdPerToken,
      image_token: given.imageUsdPerToken,
      image_output: given.imageOutputUsdPerToken,
      internal_reasoning: given.reasoningUsdPerToken,
      image: given.pictureUsd,
    }),
  };
}

function omitMissing(
  prices: Partial<Record<PriceClass, bigint | null | undefined>>,
): Partial<Record<PriceClass, bigint>> {
  return Object.fromEntries(PRICE_CLASSES.flatMap((name) => (prices[name] == null ? [] : [[name, prices[name]]])));
}
