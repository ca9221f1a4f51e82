/** The usage of a call, as providers report it in the dialects of OpenAI's format. */
import { z } from "zod";
import { parsePriceAttoUsd } from "./decimal-price.ts";

/** Token counts of a call. */
export interface Usage {
  /** All tokens of input, also those read from the provider's cache or written to it. */
  readonly prompt: number;
  /** All tokens of output, also those of reasoning. */
  readonly completion: number;
  /** Parts of `prompt`. */
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly audioPrompt: number;
  /** Parts of `completion`. */
  readonly reasoning: number;
  readonly audioCompletion: number;
  /** Pictures of the prompt. */
  readonly images: number;
  /** Whether a count is Satchel's own because the provider did not report it. */
  readonly isEstimated: boolean;
  /** The provider's own cost in atto-USD; null unless reported in the unit that its configuration states. */
  readonly reportedCostAttoUsd: bigint | null;
}

/** Units in which providers report the cost of a call: `usage.cost` of OpenRouter, `usage.cost_in_usd_ticks` of xAI (10⁻¹⁰ USD). */
export const COST_UNITS = ["usd", "usd_ticks"] as const;
export type CostUnit = (typeof COST_UNITS)[number];

/** A provider's report. A count that it omits, or states as null, is null: only a stated zero is zero. */
export interface ReportedUsage {
  readonly prompt: number | null;
  readonly completion: number | null;
  readonly total: number | null;
  readonly parts: Pick<Usage, "cacheRead" | "cacheWrite" | "audioPrompt" | "reasoning" | "audioCompletion">;
  readonly reportedCostAttoUsd: bigint | null;
  /** Whether it counts no tokens. Some providers end a stream with zeros after the real report. */
  readonly isEmpty: boolean;
}

/** Maximum token count in the database, far above any real call. */
const MAX_TOKENS = 2_000_000_000;
const ATTO_PER_USD_TICK = 10n ** 8n;

const count = z.number().int().nonnegative().nullish().catch(null);
const inputDetails = z
  .looseObject({
    ...{ cached_tokens: count, cache_write_tokens: count, cache_creation_tokens: count, audio_tokens: count },
  })
  .nullish()
  .catch(null);
const outputDetails = z.looseObject({ reasoning_tokens: count, audio_tokens: count }).nullish().catch(null);
const cost = z.union([z.string(), z.number()]).nullish().catch(null);
const schema = z.looseObject({
  ...{ prompt_tokens: count, input_tokens: count, completion_tokens: count, output_tokens: count, total_tokens: count },
  ...{ prompt_tokens_details: inputDetails, prompt_token_details: inputDetails, input_tokens_details: inputDetails },
  ...{ completion_tokens_details: outputDetails, output_tokens_details: outputDetails },
  ...{ cache_read_input_tokens: count, cache_creation_input_tokens: count },
  ...{ prompt_cache_hit_tokens: count, num_cached_tokens: count },
  ...{ cost, cost_in_usd_ticks: cost },
});

/** Returns the usage that a provider reports; null if it reports none. */
export function readUsage(usage: unknown, costUnit: CostUnit | null): ReportedUsage | null {
  const { success, data } = schema.safeParse(usage);
  if (!success) return null;
  const first = (...counts: (number | null | undefined)[]) => {
    const found = counts.find((value) => value !== null && value !== undefined);
    return found === undefined ? null : Math.min(found, MAX_TOKENS);
  };
  const input = data.prompt_tokens_details ?? data.prompt_token_details ?? data.input_tokens_details;
  const output = data.completion_tokens_details ?? data.output_tokens_details;
  const cacheRead =
    first(input?.cached_tokens, data.cache_read_input_tokens, data.prompt_cache_hit_tokens, data.num_cached_tokens) ??
    0;
  const cacheWrite =
    first(input?.cache_write_tokens, input?.cache_creation_tokens, data.cache_creation_input_tokens) ?? 0;
  const stated = first(data.prompt_tokens, data.input_tokens);
  // Anthropic's counts beside `input_tokens` are not part of it, and a part cannot exceed the whole.
  const isCacheApart = (data.prompt_tokens == null && input == null) || cacheRead + cacheWrite > (stated ?? 0);
  const prompt = stated === null ? null : stated + (isCacheApart ? cacheRead + cacheWrite : 0);
  const completion = first(data.completion_tokens, data.output_tokens);
  const total = first(data.total_tokens);
  if (prompt === null && completion === null && total === null) return null;
  return {
    ...{ prompt, completion, total },
    parts: {
      ...{ cacheRead, cacheWrite, audioPrompt: first(input?.audio_tokens) ?? 0 },
      ...{ reasoning: first(output?.reasoning_tokens) ?? 0, audioCompletion: first(output?.audio_tokens) ?? 0 },
    },
    reportedCostAttoUsd: readCost(data, costUnit),
    isEmpty: [prompt, completion, total].every((tokens) => !tokens),
  };
}

function readCost(data: z.output<typeof schema>, unit: CostUnit | null): bigint | null {
  if (unit === "usd" && data.cost != null) return parsePriceAttoUsd(data.cost);
  const ticks = unit === "usd_ticks" ? data.cost_in_usd_ticks : null;
  return ticks != null && /^\d{1,20}$/.test(String(ticks)) ? BigInt(ticks) * ATTO_PER_USD_TICK : null;
}

/** Counts of what was sent and received, used where the provider reports nothing. */
export interface OwnCounts {
  prompt(): Promise<number>;
  completion(): Promise<number>;
  readonly images: number;
}

/**
 * Completes a provider's report. A total above the sum of input and output is output, since some providers count reasoning only
 * there.
 */
export async function completeUsage(reported: ReportedUsage | null, own: OwnCounts): Promise<Usage> {
  const { prompt, completion, total } = reported ?? { prompt: null, completion: null, total: null };
  const rest = { images: own.images, ...(reported?.parts ?? NO_PARTS) };
  const { reportedCostAttoUsd = null } = reported ?? {};
  const build = (counts: Pick<Usage, "prompt" | "completion" | "isEstimated">): Usage => ({
    ...{ ...rest, ...counts, reportedCostAttoUsd },
    // Sums of parts may exceed what the database stores.
    ...{ prompt: Math.min(counts.prompt, MAX_TOKENS), completion: Math.min(counts.completion, MAX_TOKENS) },
  });
  if (prompt !== null && completion !== null) {
    const reasoningApart = total === null && rest.reasoning > completion ? rest.reasoning : 0;
    const beyond = total === null ? reasoningApart : Math.max(0, total - prompt - completion);
    return build({ prompt, completion: completion + beyond, isEstimated: false });
  }
  if (total !== null) {
    const knownPrompt = prompt ?? (completion === null ? Math.min(await own.prompt(), total) : total - completion);
    const input = Math.max(0, knownPrompt);
    const isEstimated = prompt === null && completion === null;
    return build({ prompt: input, completion: completion ?? Math.max(0, total - input), isEstimated });
  }
  return build({
    prompt: prompt ?? (await own.prompt()),
    completion: completion ?? (await own.completion()),
    isEstimated: true,
  });
}

const NO_PARTS = { cacheRead: 0, cacheWrite: 0, audioPrompt: 0, reasoning: 0, audioCompletion: 0 } as const;

/** Usage of a call of which nothing was processed. */
export const NO_USAGE: Usage = {
  ...{ prompt: 0, completion: 0, images: 0, ...NO_PARTS, isEstimated: false, reportedCostAttoUsd: null },
};
