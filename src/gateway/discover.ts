/** Discovery of a provider's models: its configured price list, or its `/models` response. */
import { z } from "zod";
import { readBounded } from "../platform/egress/body.ts";
import type { Egress } from "../platform/egress/egress.ts";
import type { Logger } from "../platform/observability/logger.ts";
import type { OfferedModel } from "./deps.ts";
import { createConfiguredPrices, createListedPrices, listedPricing } from "./list-prices.ts";
import { getDefaultTokensPerPicture, type ModelConfig, modelId, type ProviderConfig } from "./provider-config.ts";

const CACHE_MS = 60_000;
/** Retry delay after a failed discovery; the cached models remain in use. */
const RETRY_AFTER_MS = 5_000;
const TIMEOUT_MS = 10_000;
const MAX_BYTES = 8 * 1024 * 1024;
const DEFAULT_CONTEXT_LENGTH = 128_000;
/** Known to every server of this protocol. */
const DEFAULT_PARAMETERS: readonly string[] = ["max_tokens"];
/** Maximum omitted models of a provider that are logged, each once. */
const MAX_LOGGED = 1_000;

/** A model in the format of OpenRouter and of providers behind X402. Models without prices cannot be sold and are omitted. */
const listedModel = z.looseObject({
  id: modelId,
  name: z.string().max(200).nullish().catch(null),
  created: z.int().nonnegative().nullish().catch(null),
  owned_by: z.string().max(200).nullish().catch(null),
  context_length: z.int().positive().nullish().catch(null),
  top_provider: z
    .looseObject({ max_completion_tokens: z.int().positive().nullish().catch(null) })
    .nullish()
    .catch(null),
  pricing: listedPricing,
  supported_parameters: z.array(z.string().max(100)).max(200).nullish(),
});
const list = z.looseObject({ data: z.array(z.unknown()).max(10_000) });

/** Creates a function that returns the provider's models. Concurrent callers share one request a minute. Never rejects. */
export function createCatalogue(
  config: ProviderConfig,
  { egress, logger }: { readonly egress: Egress; readonly logger: Logger },
): () => Promise<readonly OfferedModel[]> {
  const { models } = config;
  if (models) {
    const offered = models.map((model) => toOfferedModel(config, model));
    return async () => offered;
  }
  let cached: readonly OfferedModel[] = [];
  const logged = new Set<string>();
  const logOmitted = (model: string, problem: string) => {
    if (logged.has(model) || logged.size >= MAX_LOGGED) return;
    logged.add(model);
    logger.warn({ provider: config.name, model, problem }, "Model of a provider omitted");
  };
  let freshUntilMs = 0;
  let refreshing: Promise<void> | null = null;
  const refresh = async () => {
    try {
      cached = await discoverModels(egress, config, logOmitted);
      freshUntilMs = performance.now() + CACHE_MS;
    } catch (error) {
      freshUntilMs = performance.now() + RETRY_AFTER_MS;
      logger.warn({ err: error, provider: config.name }, "Model discovery failed");
    }
    refreshing = null;
  };
  return async () => {
    if (performance.now() < freshUntilMs) return cached;
    refreshing ??= refresh();
    // Cached models remain in use while a refresh is in flight.
    if (cached.length === 0) await refreshing;
    return cached;
  };
}

function toOfferedModel({ name, kind }: ProviderConfig, model: ModelConfig): OfferedModel {
  return {
    id: createPublicId(name, model.id),
    upstreamId: model.id,
    name: model.name ?? model.id,
    ownedBy: model.ownedBy ?? name,
    created: 0,
    contextLength: model.contextLength,
    maxOutputTokens: model.maxOutputTokens ?? null,
    prices: createConfiguredPrices(model),
    tokensPerPicture: model.tokensPerPicture ?? getDefaultTokensPerPicture(kind),
    supportedParameters: model.supportedParameters,
  };
}

async function discoverModels(
  egress: Egress,
  { name, kind, baseUrl, apiKey }: ProviderConfig,
  logOmitted: (model: string, problem: string) => void,
): Promise<OfferedModel[]> {
  const { status, body } = await egress.request({
    url: `${baseUrl}/models`,
    method: "GET",
    headers: { accept: "application/json", ...(apiKey && { authorization: `Bearer ${apiKey}` }) },
    timeoutMs: TIMEOUT_MS,
  });
  const text = await readBounded(body, MAX_BYTES);
  if (status !== 200) throw new Error(`/models responded with ${status}.`);
  return list.parse(JSON.parse(text)).data.flatMap((entry) => {
    const { success, data, error } = listedModel.safeParse(entry);
    if (!success) {
      const [issue] = error.issues;
      logOmitted(
        String((entry as { id?: unknown } | null)?.id).slice(0, 200),
        `${issue?.path.join(".")}: ${issue?.message}`,
      );
      return [];
    }
    return {
      id: createPublicId(name, data.id),
      upstreamId: data.id,
      name: data.name ?? data.id,
      ownedBy: data.owned_by ?? name,
      created: data.created ?? 0,
      contextLength: data.context_length ?? DEFAULT_CONTEXT_LENGTH,
      maxOutputTokens: data.top_provider?.max_completion_tokens ?? null,
      prices: createListedPrices(data.pricing),
      tokensPerPicture: getDefaultTokensPerPicture(kind),
      supportedParameters: data.supported_parameters ?? DEFAULT_PARAMETERS,
    };
  });
}

/** Returns the model ID in the contract's form, `<provider>/<model>`. */
function createPublicId(provider: string, id: string): string {
  return id.includes("/") ? id : `${provider}/${id}`;
}
