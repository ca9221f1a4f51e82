/** Provider configuration from GATEWAY_PROVIDERS, which is JSON or the path of a JSON file. */
import { readFileSync } from "node:fs";
import { z } from "zod";
import { ConfigError } from "../platform/config/load.ts";
import { usdPrice } from "./decimal-price.ts";
import { COST_UNITS } from "./usage.ts";

export const modelId = z.string().regex(/^[\w.:@+-]{1,100}(?:\/[\w.:@+-]{1,100}){0,3}$/, "is not a model ID");

const rates = {
  promptUsdPerToken: usdPrice,
  completionUsdPerToken: usdPrice,
  cacheReadUsdPerToken: usdPrice.optional(),
  cacheWriteUsdPerToken: usdPrice.optional(),
  cacheWrite1hUsdPerToken: usdPrice.optional(),
  audioUsdPerToken: usdPrice.optional(),
  audioOutputUsdPerToken: usdPrice.optional(),
  imageUsdPerToken: usdPrice.optional(),
  imageOutputUsdPerToken: usdPrice.optional(),
  reasoningUsdPerToken: usdPrice.optional(),
  pictureUsd: usdPrice.optional(),
  requestUsd: usdPrice.optional(),
};
const ratesSchema = z.strictObject(rates);
const tier = {
  ...rates,
  /** Rates of calls with long prompts, for all their tokens. */
  longPrompts: z
    .array(z.strictObject({ ...rates, minPromptTokens: z.int().min(1).max(100_000_000) }))
    .max(20)
    .default([]),
};

const model = z.strictObject({
  id: modelId,
  name: z.string().min(1).max(200).optional(),
  ownedBy: z.string().min(1).max(200).optional(),
  contextLength: z.int().min(1).max(100_000_000),
  maxOutputTokens: z.int().min(1).max(100_000_000).optional(),
  ...tier,
  /** Prices of service tiers, by the name that the provider reports. */
  serviceTiers: z
    .record(z.string().regex(/^[a-z][a-z0-9_-]{0,39}$/, "is not the name of a service tier"), z.strictObject(tier))
    .default({}),
  tokensPerPicture: z.int().min(0).max(100_000_000).optional(),
  supportedParameters: z.array(z.string().max(100)).max(100).default([]),
});

const provider = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, "must be lower case letters, digits and hyphens"),
  baseUrl: z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, "")),
  kind: z.enum(["x402", "key"]),
  apiKey: z.string().min(1).max(1_000).optional(),
  models: z.array(model).max(10_000).optional(),
  /** Unit of the cost that the provider reports, which is charged in place of the list price. */
  costUnit: z.enum(COST_UNITS).optional(),
});

const providers = z
  .array(provider)
  .max(100)
  .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, "names must differ");

export type ProviderConfig = z.output<typeof provider>;
export type ModelConfig = z.output<typeof model>;
export type RatesConfig = z.output<typeof ratesSchema>;

/** Parses the provider configuration. @throws {ConfigError} with all problems, and without API keys. */
export function readProviders(setting: string): ProviderConfig[] {
  let json: unknown;
  try {
    json = JSON.parse(/^\s*\[/.test(setting) ? setting : readFileSync(setting, "utf8"));
  } catch (error) {
    const why = error instanceof SyntaxError ? "is not valid JSON" : "is neither JSON nor a file that can be read";
    throw new ConfigError([`GATEWAY_PROVIDERS: ${why}`]);
  }
  const parsed = providers.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new ConfigError(
    parsed.error.issues.map(({ path, message }) =>
      `GATEWAY_PROVIDERS: ${path.map(formatPath).join("")} ${message}`.trim(),
    ),
  );
}

function formatPath(part: PropertyKey): string {
  return typeof part === "number" ? `[${part}]` : `.${String(part)}`;
}

/**
 * Returns an upper bound of tokens per image for models priced by token. OpenAI's gpt-4o-mini counts 2,833, and 5,667 for each
 * of up to eight tiles; most others count less than 1,500. A provider behind X402 quotes its price, which this only bounds.
 */
export function getDefaultTokensPerPicture(kind: ProviderConfig["kind"]): number {
  return kind === "key" ? 50_000 : 1_500;
}

const SANDBOX_KEY = "sandbox-llm-key";

/** Returns the sandbox's providers. All offer `sandbox/echo`, so each can replace another. */
export function createSandboxProviders(llmUrl: string): ProviderConfig[] {
  const names = ["exact-v2", "upto-v2", "exact-v1", "upto-v1"];
  return [
    ...names.map((name) => ({ name, baseUrl: `${llmUrl}/${name}/v1`, kind: "x402" as const })),
    { name: "key", baseUrl: `${llmUrl}/key/v1`, kind: "key", apiKey: SANDBOX_KEY },
  ];
}
