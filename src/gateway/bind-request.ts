/** The request body for one provider, and its maximum cost. */
import { InvalidRequestError } from "../platform/errors.ts";
import type { ChatBody, ChatRequest } from "./chat-request.ts";
import type { OfferedModel, Provider } from "./deps.ts";
import type { Offer } from "./models.ts";
import { calculateMaxCostMicroUsd, getMaxInputAttoUsd, type TokenBound } from "./price.ts";
import { isPicture } from "./tokens.ts";

export interface BoundRequest {
  /** The body for the provider. */
  readonly text: string;
  readonly maxCostMicroUsd: bigint;
  /** Pictures of the prompt. */
  readonly images: number;
}

/** Parameters that limit the completion tokens, the current name first. */
const LIMIT_PARAMETERS = ["max_completion_tokens", "max_tokens"] as const;

/**
 * Parameters whose cost the price list does not cover: other models or hosts, and web searches. A provider behind X402
 * quotes a price that includes them. A provider with an API key charges the operator regardless of its list.
 */
const UNPRICED = ["models", "route", "provider", "preset", "plugins", "web_search_options"];
/** Other service tiers cost more than the list price. */
const PRICED_TIERS: readonly unknown[] = ["auto", "default", "flex", null, undefined];

/** Returns the offers that can price the request. @throws {InvalidRequestError} if a parameter excludes all offers. */
export function selectOffers(offers: readonly Offer[], { body }: ChatRequest): readonly Offer[] {
  const unpriced =
    UNPRICED.find((name) => body[name] !== undefined && body[name] !== null) ??
    (PRICED_TIERS.includes(body["service_tier"]) ? undefined : "service_tier");
  if (unpriced === undefined) return offers;
  const x402Offers = offers.filter(({ provider }) => provider.kind === "x402");
  if (x402Offers.length > 0) return x402Offers;
  const why = "it changes the cost of the call in a way that the model's price list does not cover";
  throw new InvalidRequestError(`${unpriced} must not be set: ${why}.`, unpriced);
}

/** Returns true if the maximum cost or the maximum completion length depends on the length of the prompt. */
export function dependsOnPrompt(
  { body }: ChatRequest,
  { prices, maxOutputTokens, contextLength }: OfferedModel,
): boolean {
  const isWindowShared = maxOutputTokens === null || 2 * maxOutputTokens > contextLength;
  return getMaxInputAttoUsd(prices) > 0n || (getRequestedTokens(body) === null && isWindowShared);
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
  return {
    text: JSON.stringify(providerBody),
    images,
    maxCostMicroUsd: calculateMaxCostMicroUsd(model.prices, { prompt, images, completionTokens }),
  };
}

function countPictures({ messages }: ChatBody): number {
  return messages.reduce(
    (sum, { content }) => sum + (Array.isArray(content) ? content.filter(isPicture).length : 0),
    0,
  );
}
