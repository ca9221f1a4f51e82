/** The request body for one provider, and its maximum cost. */
import { InvalidRequestError } from "../platform/errors.ts";
import type { ChatBody, ChatRequest } from "./chat-request.ts";
import type { OfferedModel, Provider } from "./deps.ts";
import type { Offer } from "./models.ts";
import { calculateMaxCostMicroUsd, isPromptPriced, isTierPriced, type TokenBound } from "./price.ts";
import { isPicture } from "./tokens.ts";

export interface BoundRequest {
  /** The body for the provider. */
  readonly text: string;
  readonly maxCostMicroUsd: bigint;
  /** Pictures of the prompt. */
  readonly images: number;
  /** The requested service tier; null if the request names none. */
  readonly tier: string | null;
}

/** Parameters that limit the completion tokens, the current name first. */
const LIMIT_PARAMETERS = ["max_completion_tokens", "max_tokens"] as const;

/**
 * Parameters whose cost the price list does not cover: other models or hosts, web searches (OpenAI, OpenRouter, xAI, Alibaba), and
 * Anthropic's fast mode. A provider behind X402 quotes a price that includes them. A provider with an API key charges the operator
 * regardless of its list.
 */
const UNPRICED = [
  ...["models", "route", "provider", "preset", "plugins", "web_search_options", "search_parameters"],
  ...["enable_search", "speed"],
];
/** Types of tools that the caller runs. Those that the provider runs, such as its web search, have prices of their own. */
const OWN_TOOLS: readonly unknown[] = ["function", "custom"];

/** Returns the offers that can price the request. @throws {InvalidRequestError} if a parameter excludes all offers. */
export function selectOffers(offers: readonly Offer[], { body }: ChatRequest): readonly Offer[] {
  const tier = getRequestedTier(body);
  const unpriced = findUnpriced(body);
  const isPriced = ({ provider, model }: Offer) =>
    provider.kind === "x402" || (unpriced === undefined && (tier === null || isTierPriced(model.prices, tier)));
  const priced = offers.filter(isPriced);
  if (priced.length > 0) return priced;
  const name = unpriced ?? "service_tier";
  const rule = name.startsWith("tools[")
    ? "must be function or custom"
    : `must not be set${unpriced ? "" : ` to ${tier}`}`;
  const why = "it changes the cost of the call in a way that the model's price list does not cover";
  throw new InvalidRequestError(`${name} ${rule}: ${why}.`, name);
}

/** Returns the first parameter whose cost no price list covers. */
function findUnpriced(body: ChatBody): string | undefined {
  const name = UNPRICED.find((one) => body[one] !== undefined && body[one] !== null);
  const tool = body.tools?.findIndex(({ type }) => !OWN_TOOLS.includes(type)) ?? -1;
  return name ?? (tool === -1 ? undefined : `tools[${tool}].type`);
}

/** Returns the requested service tier; null if the request names none. */
function getRequestedTier(body: ChatBody): string | null {
  return body.service_tier ?? null;
}

/** Returns true if the maximum cost or the maximum completion length depends on the length of the prompt. */
export function dependsOnPrompt(
  { body }: ChatRequest,
  { prices, maxOutputTokens, contextLength }: OfferedModel,
): boolean {
  const isWindowShared = maxOutputTokens === null || 2 * maxOutputTokens > contextLength;
  return isPromptPriced(prices, getRequestedTier(body)) || (getRequestedTokens(body) === null && isWindowShared);
}

/** Returns the larger of the two limits, because a provider may know only one of them. */
function getRequestedTokens(body: ChatBody): number | null {
  const limits = LIMIT_PARAMETERS.flatMap((name) => body[name] ?? []);
  return limits.length > 0 ? Math.max(...limits) : null;
}

/**
 * Creates the request body for a provider. Without the caller's own limit, the model's limit bounds the completion. The
 * limit uses a parameter that the model supports, because an unknown one has no effect. A stream always ends with its usage.
 *
 * @param prompt maximum prompt tokens; 0 if nothing depends on them
 * @param minPromptTokens minimum prompt tokens, which bound the completion within the context length
 */
export function bindRequest(
  { body, isStreamed }: ChatRequest,
  { provider, model }: { readonly provider: Pick<Provider, "kind">; readonly model: OfferedModel },
  prompt: TokenBound,
  minPromptTokens = prompt.atMostTokens,
): BoundRequest {
  const requestedTokens = getRequestedTokens(body);
  const supported = LIMIT_PARAMETERS.filter((name) => model.supportedParameters.includes(name));
  const name = supported.find((one) => typeof body[one] === "number") ?? supported[0];
  const availableTokens = Math.max(1, model.contextLength - minPromptTokens);
  const modelLimit = Math.min(model.maxOutputTokens ?? availableTokens, availableTokens);
  // A provider behind X402 prices the parameters it supports; one with an API key would charge the excess to the operator.
  const isLimitSupported = name !== undefined || provider.kind === "x402";
  const maxTokens =
    requestedTokens !== null && isLimitSupported ? Math.min(requestedTokens, model.contextLength) : modelLimit;
  const { max_completion_tokens: _most, max_tokens: _formerly, ...others } = body;
  const providerBody = {
    ...(name === undefined ? body : { ...others, [name]: requestedTokens ?? maxTokens }),
    model: model.upstreamId,
    ...(isStreamed ? { stream_options: { ...body.stream_options, include_usage: true } } : {}),
  };
  const completionTokens = maxTokens * (body.n ?? 1);
  const images = countPictures(body);
  const tier = getRequestedTier(body);
  return {
    text: JSON.stringify(providerBody),
    ...{ images, tier },
    maxCostMicroUsd: calculateMaxCostMicroUsd(model.prices, { prompt, images, completionTokens, tier }),
  };
}

function countPictures({ messages }: ChatBody): number {
  return messages.reduce(
    (sum, { content }) => sum + (Array.isArray(content) ? content.filter(isPicture).length : 0),
    0,
  );
}
