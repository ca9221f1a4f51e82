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
  /** The part of `cacheWrite` that is stored for an hour. */
  readonly cacheWrite1h: number;
  readonly audioPrompt: number;
  readonly imagePrompt: number;
  /** Parts of `completion`. */
  readonly reasoning: number;
  readonly audioCompletion: number;
  readonly imageCompletion: number;
  /** Pictures of the prompt. */
  readonly images: number;
  /** Whether a count is Satchel's own because the provider did not report it. */
  readonly isEstimated: boolean;
  /** The provider's own cost in atto-USD; null unless reported in the unit that its configuration states. */
  readonly reportedCostAttoUsd: bigint | null;
  /** The service tier that the response states; null if it states none. */
  readonly servedTier: string | null;
}

type Parts = Omit<Usage, "prompt" | "completion" | "images" | "isEstimated" | "reportedCostAttoUsd" | "servedTier">;

/** Units in which providers report the cost of a call: `usage.cost` of OpenRouter, `usage.cost_in_usd_ticks` of xAI (10⁻¹⁰ USD). */
export const COST_UNITS = ["usd", "usd_ticks"] as const;
export type CostUnit = (typeof COST_UNITS)[number];

/** A provider's report. A count that it omits, or states as null, is null: only a stated zero is zero. */
export interface ReportedUsage {
  readonly prompt: number | null;
  readonly completion: number | null;
  readonly total: number | null;
  readonly parts: Parts;
  readonly reportedCostAttoUsd: bigint | null;
}

/** Maximum token count in the database, far above any real call. */
const MAX_TOKENS = 2_000_000_000;
const ATTO_PER_USD_TICK = 10n ** 8n;

const count = z.number().int().nonnegative().nullish().catch(null);
const inputDetails = z
  .looseObject({
    ...{ cached_tokens: count, cache_write_tokens: count, cache_creation_tokens: count },
    ...{ audio_tokens: count, image_tokens: count },
  })
  .nullish()
  .catch(null);
const outputDetails = z
  .looseObject({ reasoning_tokens: count, audio_tokens: count, image_tokens: count })
  .nullish()
  .catch(null);
const cacheCreation = z
  .looseObject({ ephemeral_5m_input_tokens: count, ephemeral_1h_input_tokens: count })
  .nullish()
  .catch(null);
const cost = z.union([z.string(), z.number()]).nullish().catch(null);
const costDetails = z.looseObject({ upstream_inference_cost: cost }).nullish().catch(null);
const schema = z.looseObject({
  ...{ prompt_tokens: count, input_tokens: count, completion_tokens: count, output_tokens: count, total_tokens: count },
  ...{ prompt_tokens_details: inputDetails, prompt_token_details: inputDetails, input_tokens_details: inputDetails },
  ...{ completion_tokens_details: outputDetails, output_tokens_details: outputDetails },
  ...{ cache_read_input_tokens: count, cache_creation_input_tokens: count, cache_creation: cacheCreation },
  ...{ prompt_cache_hit_tokens: count, prompt_cache_miss_tokens: count, num_cached_tokens: count },
  ...{ reasoning_tokens: count, cost, cost_in_usd_ticks: cost, cost_details: costDetails },
  is_byok: z.boolean().nullish().catch(null),
});
type Report = z.output<typeof schema>;

/** Returns the first count that is stated, at most what the database stores. */
function first(...counts: (number | null | undefined)[]): number | null {
  const found = counts.find((value) => value !== null && value !== undefined);
  return found === undefined ? null : Math.min(found, MAX_TOKENS);
}

/** Returns the usage that a provider reports; null if it reports neither tokens nor, in the configured unit, a cost. */
export function readUsage(usage: unknown, costUnit: CostUnit | null): ReportedUsage | null {
  const { success, data } = schema.safeParse(usage);
  if (!success) return null;
  const input = data.prompt_tokens_details ?? data.prompt_token_details ?? data.input_tokens_details;
  const output = data.completion_tokens_details ?? data.output_tokens_details;
  const { ephemeral_5m_input_tokens: for5Minutes, ephemeral_1h_input_tokens: for1Hour } = data.cache_creation ?? {};
  const cacheRead =
    first(input?.cached_tokens, data.cache_read_input_tokens, data.prompt_cache_hit_tokens, data.num_cached_tokens) ??
    0;
  const cacheWrite =
    first(
      ...[input?.cache_write_tokens, input?.cache_creation_tokens, data.cache_creation_input_tokens],
      (for5Minutes ?? 0) + (for1Hour ?? 0),
    ) ?? 0;
  const prompt = readPrompt(data, cacheRead, cacheWrite, input != null);
  const completion = first(data.completion_tokens, data.output_tokens);
  const total = first(data.total_tokens);
  const reportedCostAttoUsd = readCost(data, costUnit);
  if (prompt === null && completion === null && total === null && reportedCostAttoUsd === null) return null;
  return {
    ...{ prompt, completion, total, reportedCostAttoUsd },
    parts: {
      ...{ cacheRead, cacheWrite, cacheWrite1h: Math.min(first(for1Hour) ?? 0, cacheWrite) },
      ...{ audioPrompt: first(input?.audio_tokens) ?? 0, imagePrompt: first(input?.image_tokens) ?? 0 },
      ...{ reasoning: first(output?.reasoning_tokens, data.reasoning_tokens) ?? 0 },
      ...{ audioCompletion: first(output?.audio_tokens) ?? 0, imageCompletion: first(output?.image_tokens) ?? 0 },
    },
  };
}

function readPrompt(data: Report, cacheRead: number, cacheWrite: number, hasDetails: boolean): number | null {
  const { prompt_cache_hit_tokens: hit, prompt_cache_miss_tokens: miss } = data;
  const sum = hit != null && miss != null ? hit + miss : null;
  const stated = first(data.prompt_tokens, data.input_tokens, sum);
  if (stated === null) return null;
  // Anthropic's counts beside `input_tokens` are not part of it, and a part cannot exceed the whole.
  const isCacheApart = (data.prompt_tokens == null && sum === null && !hasDetails) || cacheRead + cacheWrite > stated;
  return stated + (isCacheApart ? cacheRead + cacheWrite : 0);
}

function readCost(data: Report, unit: CostUnit | null): bigint | null {
  if (unit === "usd" && data.cost != null) {
    const chargedAttoUsd = parsePriceAttoUsd(data.cost);
    // With the operator's own key at the model's host, `cost` is the fee only, and the host bills the rest.
    const upstream = data.is_byok === true ? (data.cost_details?.upstream_inference_cost ?? null) : 0;
    const upstreamAttoUsd = upstream === null ? null : parsePriceAttoUsd(upstream);
    return chargedAttoUsd === null || upstreamAttoUsd === null ? null : chargedAttoUsd + upstreamAttoUsd;
  }
  const ticks = unit === "usd_ticks" ? data.cost_in_usd_ticks : null;
  return ticks != null && /^\d{1,20}$/.test(String(ticks)) ? BigInt(ticks) * ATTO_PER_USD_TICK : null;
}

/**
 * Merges two reports of a stream. Reports are cumulative, so the later value wins and nothing is added up. A later null or zero does not
 * replace a count, since some providers end a stream with zeros.
 */
export function mergeReports(earlier: unknown, later: unknown): unknown {
  if (!isRecord(later)) return earlier ?? later;
  if (!isRecord(earlier)) return later;
  const merged: Record<string, unknown> = { ...earlier };
  for (const [name, value] of Object.entries(later)) {
    const known = earlier[name];
    const isEmpty = value === null || value === undefined || value === 0;
    if (isRecord(value)) merged[name] = mergeReports(known, value);
    else if (!isEmpty || known === null || known === undefined) merged[name] = value;
  }
  return merged;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Counts of what was sent and received, used where the provider reports nothing. */
export interface OwnCounts {
  prompt(): Promise<number>;
  completion(): Promise<number>;
  readonly images: number;
  /** The service tier that the response states; null if it states none. */
  readonly servedTier: string | null;
  /** Whether output followed the report, so that its count of output and its cost may be too low. */
  readonly hasLaterOutput?: boolean;
}

/**
 * Completes a provider's report. A total above the sum of input and output is output, since some providers count reasoning only
 * there.
 */
export async function completeUsage(reported: ReportedUsage | null, own: OwnCounts): Promise<Usage> {
  const { prompt, completion, total } = reported ?? { prompt: null, completion: null, total: null };
  const { parts = NO_PARTS } = reported ?? {};
  const reportedCostAttoUsd = own.hasLaterOutput ? null : (reported?.reportedCostAttoUsd ?? null);
  const build = (counts: Pick<Usage, "prompt" | "completion" | "isEstimated">): Usage => ({
    ...{ ...parts, ...counts, images: own.images, reportedCostAttoUsd, servedTier: own.servedTier },
    // Sums of parts may exceed what the database stores.
    ...{ prompt: Math.min(counts.prompt, MAX_TOKENS), completion: Math.min(counts.completion, MAX_TOKENS) },
  });
  if (prompt !== null && completion !== null) {
    const reasoningApart = total === null && parts.reasoning > completion ? parts.reasoning : 0;
    const beyond = total === null ? reasoningApart : Math.max(0, total - prompt - completion);
    const output = completion + beyond;
    const received = own.hasLaterOutput ? await own.completion() : 0;
    return build({ prompt, completion: Math.max(output, received), isEstimated: received > output });
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

const NO_PARTS: Parts = {
  ...{ cacheRead: 0, cacheWrite: 0, cacheWrite1h: 0, audioPrompt: 0, imagePrompt: 0 },
  ...{ reasoning: 0, audioCompletion: 0, imageCompletion: 0 },
};

/** Usage of a call of which nothing was processed. */
export const NO_USAGE: Usage = {
  ...{ prompt: 0, completion: 0, images: 0, ...NO_PARTS },
  ...{ isEstimated: false, reportedCostAttoUsd: null, servedTier: null },
};
