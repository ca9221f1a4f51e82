/** What a provider offers: its configured price list, or what its `/models` says. */
import { z } from "zod";
import { readBounded } from "../platform/egress/body.ts";
import type { Egress } from "../platform/egress/egress.ts";
import type { Logger } from "../platform/observability/logger.ts";
import type { OfferedModel } from "./deps.ts";
import {
  defaultTokensPerPicture,
  type ModelConfig,
  modelId,
  type ProviderConfig,
  usdPerToken,
} from "./provider-config.ts";

const KEPT_FOR_MS = 60_000;
/** After a failure it is asked again sooner; what was known stays. */
const RETRY_AFTER_MS = 5_000;
const TIMEOUT_MS = 10_000;
const MAX_BYTES = 8 * 1024 * 1024;
const DEFAULT_CONTEXT_LENGTH = 128_000;

/** As OpenRouter and providers behind X402 write it; a model without prices is none that can be sold. */
const listed = z.looseObject({
  id: modelId,
  name: z.string().max(200).nullish(),
  created: z.int().nonnegative().nullish(),
  owned_by: z.string().max(200).nullish(),
  context_length: z.int().positive().nullish(),
  top_provider: z.looseObject({ max_completion_tokens: z.int().positive().nullish() }).nullish(),
  pricing: z.looseObject({ prompt: usdPerToken, completion: usdPerToken, request: usdPerToken.nullish() }),
  supported_parameters: z.array(z.string().max(100)).max(200).nullish(),
});
const list = z.looseObject({ data: z.array(z.unknown()).max(10_000) });

/** A function that answers the models, asking at most once a minute however many want to know. Never rejects. */
export function createCatalogue(
  config: ProviderConfig,
  { egress, logger }: { readonly egress: Egress; readonly logger: Logger },
): () => Promise<readonly OfferedModel[]> {
  const { models } = config;
  if (models) {
    const offered = models.map((model) => configuredModel(config, model));
    return async () => offered;
  }
  let known: readonly OfferedModel[] = [];
  let goodUntilMs = 0;
  let asking: Promise<void> | null = null;
  const ask = async () => {
    try {
      known = await discover(egress, config);
      goodUntilMs = performance.now() + KEPT_FOR_MS;
    } catch (error) {
      goodUntilMs = performance.now() + RETRY_AFTER_MS;
      logger.warn({ err: error, provider: config.name }, "models not discovered");
    }
    asking = null;
  };
  return async () => {
    if (performance.now() < goodUntilMs) return known;
    asking ??= ask();
    // What is known already is good enough while it is asked again.
    if (known.length === 0) await asking;
    return known;
  };
}

function configuredModel({ name, kind }: ProviderConfig, model: ModelConfig): OfferedModel {
  return {
    id: publicId(name, model.id),
    upstreamId: model.id,
    name: model.name ?? model.id,
    ownedBy: model.ownedBy ?? name,
    created: 0,
    contextLength: model.contextLength,
    maxOutputTokens: model.maxOutputTokens ?? null,
    prices: {
      promptAttoUsd: model.promptUsdPerToken,
      completionAttoUsd: model.completionUsdPerToken,
      requestAttoUsd: model.requestUsd ?? 0n,
    },
    tokensPerPicture: model.tokensPerPicture ?? defaultTokensPerPicture(kind),
    supportedParameters: model.supportedParameters,
  };
}

async function discover(egress: Egress, { name, kind, baseUrl, apiKey }: ProviderConfig): Promise<OfferedModel[]> {
  const { status, body } = await egress.request({
    url: `${baseUrl}/models`,
    method: "GET",
    headers: { accept: "application/json", ...(apiKey && { authorization: `Bearer ${apiKey}` }) },
    timeoutMs: TIMEOUT_MS,
  });
  const text = await readBounded(body, MAX_BYTES);
  if (status !== 200) throw new Error(`/models answered ${status}.`);
  return list.parse(JSON.parse(text)).data.flatMap((entry) => {
    const { success, data } = listed.safeParse(entry);
    if (!success) return [];
    const { pricing } = data;
    return {
      id: publicId(name, data.id),
      upstreamId: data.id,
      name: data.name ?? data.id,
      ownedBy: data.owned_by ?? name,
      created: data.created ?? 0,
      contextLength: data.context_length ?? DEFAULT_CONTEXT_LENGTH,
      maxOutputTokens: data.top_provider?.max_completion_tokens ?? null,
      prices: {
        promptAttoUsd: pricing.prompt,
        completionAttoUsd: pricing.completion,
        requestAttoUsd: pricing.request ?? 0n,
      },
      tokensPerPicture: defaultTokensPerPicture(kind),
      supportedParameters: data.supported_parameters ?? [],
    };
  });
}

/** The contract's form: `<provider>/<model>`. */
function publicId(provider: string, id: string): string {
  return id.includes("/") ? id : `${provider}/${id}`;
}
