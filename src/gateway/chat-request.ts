/** A chat completion as it was asked for, checked as far as the gateway must understand it; all else passes through. */
import { z } from "zod";
import { InvalidRequestError } from "../platform/errors.ts";
import type { OfferedModel } from "./deps.ts";
import { costMicroUsd } from "./price.ts";

const count = (max: number) =>
  z.int(`must be a whole number`).min(1, "must be at least 1").max(max, `may be at most ${max}`);

const schema = z.looseObject({
  model: z.string("must be a string").min(1, "must not be empty").max(400, "is too long"),
  messages: z
    .array(
      z.looseObject({ role: z.string("must be a string").max(40, "is too long") }, "must be an object"),
      "must be an array",
    )
    .min(1, "must not be empty")
    .max(10_000, "has too many elements"),
  temperature: z.number("must be a number").min(0, "must not be negative").max(2, "may be at most 2").nullish(),
  max_tokens: count(100_000_000).nullish(),
  max_completion_tokens: count(100_000_000).nullish(),
  n: count(16).nullish(),
  stream: z.boolean("must be true or false").nullish(),
  stream_options: z
    .looseObject({ include_usage: z.boolean("must be true or false").nullish() }, "must be an object")
    .nullish(),
});

/** As OpenAI writes it (platform.openai.com/docs/api-reference/chat/create). */
export type ChatBody = z.output<typeof schema>;

export interface ChatRequest {
  readonly body: ChatBody;
  readonly model: string;
  readonly isStreamed: boolean;
  /** Whether the stream's last chunk is to be its usage. */
  readonly wantsUsage: boolean;
}

/** @throws {InvalidRequestError} naming the field as OpenAI does. */
export function readChatRequest(json: unknown): ChatRequest {
  const { success, data, error } = schema.safeParse(json);
  if (!success) {
    const [issue] = error.issues;
    const field = (issue?.path ?? [])
      .map((part, i) => (typeof part === "number" ? `[${part}]` : `${i ? "." : ""}${String(part)}`))
      .join("");
    const isMissing =
      issue?.code === "invalid_type" && issue.path.length === 1 && !Object.hasOwn(Object(json), issue.path[0] ?? "");
    throw new InvalidRequestError(
      `${field || "The body"} ${isMissing ? "is missing" : issue?.message}.`,
      field || null,
    );
  }
  return {
    body: data,
    model: data.model,
    isStreamed: data.stream === true,
    wantsUsage: data.stream_options?.include_usage === true,
  };
}

/** Whether what the call can come to, or how long its answer may be, depends on how long the prompt is. */
export function dependsOnPrompt({ body }: ChatRequest, { prices, maxOutputTokens }: OfferedModel): boolean {
  return prices.promptAttoUsd > 0n || (askedTokens(body) === null && maxOutputTokens === null);
}

function askedTokens({ max_completion_tokens: most, max_tokens: formerly }: ChatBody): number | null {
  return most ?? formerly ?? null;
}

/** One provider's version of a request, and what it can come to at most. */
export interface BoundRequest {
  readonly text: string;
  readonly highestMicroUsd: bigint;
}

/**
 * Makes the body for a provider. An answer without a bound of the caller's is bounded by the model's own limit, and that is
 * said to the provider where it takes such a parameter. A stream always ends with its usage.
 * @param promptTokens 0 where nothing depends on it
 */
export function bindRequest(
  { body, isStreamed }: ChatRequest,
  model: OfferedModel,
  promptTokens: number,
): BoundRequest {
  const asked = askedTokens(body);
  const room = Math.max(1, model.contextLength - promptTokens);
  const own = Math.min(model.maxOutputTokens ?? room, model.contextLength);
  const most = asked === null ? own : Math.min(asked, model.contextLength);
  const limit =
    asked !== null
      ? null
      : ["max_completion_tokens", "max_tokens"].find((name) => model.supportedParameters.includes(name));
  const sent = {
    ...body,
    model: model.upstreamId,
    ...(limit ? { [limit]: most } : {}),
    ...(isStreamed ? { stream_options: { ...body.stream_options, include_usage: true } } : {}),
  };
  const completion = most * (body.n ?? 1);
  return {
    text: JSON.stringify(sent),
    highestMicroUsd: costMicroUsd(model.prices, { prompt: promptTokens, completion }),
  };
}
