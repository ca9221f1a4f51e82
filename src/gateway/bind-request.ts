/** A request as one provider gets it, and what it can come to at most. */
import { InvalidRequestError } from "../platform/errors.ts";
import type { ChatBody, ChatRequest } from "./chat-request.ts";
import type { OfferedModel, Provider } from "./deps.ts";
import type { Offer } from "./models.ts";
import { costMicroUsd } from "./price.ts";

export interface BoundRequest {
  /** The body for the provider. */
  readonly text: string;
  readonly highestMicroUsd: bigint;
}

/** Names of an answer's bound, the newer one first. */
const BOUNDS = ["max_completion_tokens", "max_tokens"] as const;

/**
 * Parameters that have a call cost something else than its model's tokens: other models in its place, other hosts of it, searches.
 * A provider behind X402 names a price for them; one with a key of ours charges us, whatever its list says.
 */
const UNPRICED = ["models", "route", "provider", "preset", "plugins", "web_search_options"];
/** Others are dearer than the list. */
const PRICED_TIERS: readonly unknown[] = ["auto", "default", "flex", null, undefined];

/** The offers that may be asked. @throws {InvalidRequestError} there are none, because of a parameter. */
export function offersFor(offers: readonly Offer[], { body }: ChatRequest): readonly Offer[] {
  const unpriced =
    UNPRICED.find((name) => body[name] !== undefined && body[name] !== null) ??
    (PRICED_TIERS.includes(body["service_tier"]) ? undefined : "service_tier");
  if (unpriced === undefined) return offers;
  const left = offers.filter(({ provider }) => provider.kind === "x402");
  if (left.length > 0) return left;
  const why = "it changes what a call costs, in a way that this model's price list does not say";
  throw new InvalidRequestError(`${unpriced} may not be set: ${why}.`, unpriced);
}

/** Whether what the call can come to, or how long its answer may be, depends on how long the prompt is. */
export function dependsOnPrompt({ body }: ChatRequest, { prices, maxOutputTokens }: OfferedModel): boolean {
  return prices.promptAttoUsd > 0n || (askedTokens(body) === null && maxOutputTokens === null);
}

/** The larger of the two bounds: a provider may know one of them only. */
function askedTokens(body: ChatBody): number | null {
  const asked = BOUNDS.flatMap((name) => body[name] ?? []);
  return asked.length > 0 ? Math.max(...asked) : null;
}

/**
 * Makes the body for a provider. An answer without a bound of the caller's is bounded by the model's own limit; either is said by
 * a name that the model takes, for one that it does not know binds nobody. A stream always ends with its usage.
 * @param promptTokens at most; 0 where nothing depends on it
 * @param leastPromptTokens where that is less: an answer may be as long as these leave room for
 */
export function bindRequest(
  { body, isStreamed }: ChatRequest,
  { provider, model }: { readonly provider: Pick<Provider, "kind">; readonly model: OfferedModel },
  promptTokens: number,
  leastPromptTokens = promptTokens,
): BoundRequest {
  const asked = askedTokens(body);
  const known = BOUNDS.filter((name) => model.supportedParameters.includes(name));
  const name = known.find((one) => typeof body[one] === "number") ?? known[0];
  const room = Math.max(1, model.contextLength - leastPromptTokens);
  const own = Math.min(model.maxOutputTokens ?? room, model.contextLength);
  // A provider behind X402 sets its price by what it understands; one with a key of ours would charge us the rest.
  const isHeard = name !== undefined || provider.kind === "x402";
  const most = asked !== null && isHeard ? Math.min(asked, model.contextLength) : own;
  const { max_completion_tokens: _most, max_tokens: _formerly, ...others } = body;
  const sent = {
    ...(name === undefined ? body : { ...others, [name]: asked ?? most }),
    model: model.upstreamId,
    ...(isStreamed ? { stream_options: { ...body.stream_options, include_usage: true } } : {}),
  };
  const completion = most * (body.n ?? 1);
  return {
    text: JSON.stringify(sent),
    highestMicroUsd: costMicroUsd(model.prices, { prompt: promptTokens, completion }),
  };
}
