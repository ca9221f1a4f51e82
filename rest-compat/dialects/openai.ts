/** The OpenAI dialect: chat completions and models (spec section 4.5). */
import type { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ExecutionResult } from "graphql";
import type {
  ModelsQuery,
  PricingFieldsFragment,
  ProxyChatMutation,
  ProxyChatMutationVariables,
} from "../generated/graphql.ts";
import { readBody } from "../input.ts";
import { chatBody, type ModelEntry } from "../routes/openai.ts";
import {
  convertExecutionFailure,
  convertUnionFailure,
  createOpenAiFailure,
  sendOpenAiFailure,
} from "./openai-failure.ts";

type Result<Data> = ExecutionResult<Data>;
type Run<Data, Variables> = (variables: Variables, context: object) => Result<Data> | Promise<Result<Data>>;

interface ChatResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** A string if the body is complete, otherwise a stream. */
  readonly body: Readable | string;
}

/** Runs the chat operation and returns the response body; a stream is forwarded as it arrives. */
export async function handleChatRequest(
  run: Run<ProxyChatMutation, ProxyChatMutationVariables>,
  request: FastifyRequest,
  reply: FastifyReply,
  context: object,
): Promise<FastifyReply | ChatResponse["body"]> {
  const { model, messages, ...parameters } = readBody(chatBody, request.body) as {
    model: string;
    messages: unknown[];
  };
  const disconnect = new AbortController();
  reply.raw.once("close", () => {
    if (!reply.raw.writableFinished) disconnect.abort();
  });
  let response: ChatResponse | undefined;
  const exchange = {
    headers: {},
    body: null,
    signal: disconnect.signal,
    onBody(body: ChatResponse) {
      response = body;
    },
  };
  const result = await run({ input: { body: { ...parameters, model, messages } } }, { ...context, exchange });
  if (disconnect.signal.aborted) {
    discardBody(response);
    return reply.hijack();
  }
  const data = result.errors || !result.data ? null : result.data.proxyChat;
  if (data && "code" in data) return sendOpenAiFailure(reply, convertUnionFailure(data));
  if (!data || !response) {
    discardBody(response);
    const report = (error: unknown) => request.log.error({ err: error, path: request.url }, "unexpected error");
    return sendOpenAiFailure(reply, convertExecutionFailure(result, request.id, report));
  }
  reply.code(response.status).headers(response.headers);
  return response.body;
}

/** Destroys a streamed body that no client will read. */
function discardBody(response: ChatResponse | undefined): void {
  if (response && typeof response.body !== "string") response.body.destroy();
}

/** Sends the list of models, or the one model whose ID the path contains. */
export async function handleModelsRequest(
  run: Run<ModelsQuery, Readonly<Record<string, unknown>>>,
  request: FastifyRequest,
  reply: FastifyReply,
  context: object,
): Promise<FastifyReply> {
  reply.header("cache-control", "no-store");
  const result = await run({}, context);
  if (result.errors || !result.data?.allModels) {
    const report = (error: unknown) => request.log.error({ err: error, path: request.url }, "unexpected error");
    return sendOpenAiFailure(reply, convertExecutionFailure(result, request.id, report));
  }
  const data = result.data.allModels.map(toModelEntry);
  const { "*": id } = request.params as { "*"?: string };
  if (id === undefined) return reply.send({ object: "list", data });
  const found = data.find((model) => model.id === id);
  if (found) return reply.send(found);
  return sendOpenAiFailure(reply, createOpenAiFailure("model_not_found", `Model ${id} not found.`, "model"));
}

/** Converts a model to an entry of OpenAI's model list (decisions, "Gateway"). */
function toModelEntry(model: NonNullable<ModelsQuery["allModels"]>[number]): ModelEntry {
  return {
    id: model.id,
    object: "model",
    created: Math.floor(Date.parse(model.createdAt) / 1_000),
    owned_by: model.ownedBy,
    name: model.name,
    context_length: model.contextLength,
    pricing: {
      ...toPriceEntry(model.pricing),
      ...(model.pricingVariants.length > 0 && { overrides: model.pricingVariants.map(toOverride) }),
    },
    supported_parameters: model.supportedParameters,
  };
}

type Variant = NonNullable<ModelsQuery["allModels"]>[number]["pricingVariants"][number];

function toOverride({ serviceTier, minPromptTokens, pricing }: Variant) {
  return {
    ...(serviceTier !== null && { service_tier: serviceTier }),
    ...(minPromptTokens !== null && { min_prompt_tokens: minPromptTokens }),
    ...toPriceEntry(pricing),
  };
}

/** Names prices as OpenRouter does. Classes that the provider's list does not state are omitted. */
function toPriceEntry(pricing: PricingFieldsFragment): Omit<ModelEntry["pricing"], "overrides"> {
  const { prompt, completion, request } = pricing;
  const classes = {
    input_cache_read: pricing.cacheRead,
    input_cache_write: pricing.cacheWrite,
    input_cache_write_1h: pricing.cacheWriteHour,
    audio: pricing.audio,
    audio_output: pricing.audioOutput,
    image_token: pricing.pictureToken,
    image_output: pricing.pictureOutput,
    internal_reasoning: pricing.reasoning,
    image: pricing.picture,
  };
  const stated = Object.entries(classes).filter(([, price]) => price !== null && price !== undefined);
  return { prompt, completion, request, ...Object.fromEntries(stated) };
}
