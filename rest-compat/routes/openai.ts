/** The table of OpenAI routes (spec section 4.5; decisions, "Gateway"). */
import { z } from "zod";
import type { OpenAiRoute } from "../openai-route.ts";
import { PAYMENT_ERRORS } from "./payment-errors.ts";

/** The members of a chat body that the contract names; others are passed on to the provider. */
export const chatBody = z.looseObject({
  model: z.string().min(1, "must not be empty").meta({ description: "ID of the model: `<provider>/<model>`." }),
  messages: z
    .array(
      z
        .looseObject({
          role: z.string().meta({
            enum: ["developer", "system", "user", "assistant", "tool", "function"],
            description: "The role of the message's author.",
          }),
          content: z
            .unknown()
            .optional()
            .meta({
              anyOf: [{ type: "string" }, { type: "array", items: { type: "object" } }, { type: "null" }],
              description: "The content: a text, or an array of parts that each have a `type`.",
            }),
        })
        .meta({ description: "A message in OpenAI's format." }),
    )
    .min(1, "must not be empty")
    .meta({ description: "The messages of the chat, oldest first." }),
  temperature: z.number().nullish().meta({ description: "From 0 to 2." }),
  max_tokens: z.number().nullish().meta({ description: "Maximum length of the completion, in tokens." }),
  stream: z.boolean().nullish().meta({ description: "Whether to stream the completion as server-sent events." }),
});

/** The members of the provider's response that OpenAI clients rely on. */
const completion = z.looseObject({
  id: z.string().meta({ description: "The provider's ID of the completion." }),
  object: z.literal("chat.completion"),
  created: z.int().meta({ description: "Unix time of the completion, in seconds." }),
  model: z.string().meta({ description: "The provider's name of the model." }),
  choices: z
    .array(z.looseObject({ index: z.int(), message: z.looseObject({}), finish_reason: z.string().nullable() }))
    .meta({ description: "The completions: `n` of them, by default one." }),
  usage: z
    .looseObject({ prompt_tokens: z.int(), completion_tokens: z.int(), total_tokens: z.int() })
    .optional()
    .meta({ description: "The used tokens; absent if the provider did not report them." }),
});

const prices = {
  prompt: z.string().meta({ description: "Price per prompt token." }),
  completion: z.string().meta({ description: "Price per completion token." }),
  request: z.string().meta({ description: "Price per call, in addition to its tokens." }),
  input_cache_read: z.string().optional().meta({ description: "Price per prompt token read from the cache." }),
  input_cache_write: z.string().optional().meta({ description: "Price per prompt token written to the cache." }),
  input_cache_write_1h: z.string().optional().meta({ description: "Price per prompt token cached for an hour." }),
  audio: z.string().optional().meta({ description: "Price per prompt token of audio." }),
  audio_output: z.string().optional().meta({ description: "Price per completion token of audio." }),
  image_token: z.string().optional().meta({ description: "Price per prompt token of pictures." }),
  image_output: z.string().optional().meta({ description: "Price per completion token of pictures." }),
  internal_reasoning: z.string().optional().meta({ description: "Price per completion token of reasoning." }),
  image: z.string().optional().meta({ description: "Price per picture, in addition to its tokens." }),
};

const modelEntry = z.object({
  id: z.string().meta({ description: "ID of the model: `<provider>/<model>`." }),
  object: z.literal("model"),
  created: z.int().meta({ description: "Unix time of the model's release, in seconds; 0 if unknown." }),
  owned_by: z.string().meta({ description: "The developer or provider of the model." }),
  name: z.string().meta({ description: "The display name." }),
  context_length: z.int().meta({ description: "Maximum tokens of a chat, including the completion." }),
  pricing: z
    .object({
      ...prices,
      overrides: z
        .array(
          z.object({
            service_tier: z.string().optional().meta({ description: "Service tier that the provider reports." }),
            min_prompt_tokens: z.int().optional().meta({ description: "Minimum prompt tokens of the call." }),
            ...prices,
          }),
        )
        .optional()
        .meta({ description: "Prices in other service tiers and of calls with long prompts." }),
    })
    .meta({ description: "Prices in US dollars, as exact decimals." }),
  supported_parameters: z
    .array(z.string())
    .meta({ description: "The supported request parameters, by OpenAI's names." }),
});

export type ModelEntry = z.output<typeof modelEntry>;

const MODEL: ModelEntry = {
  id: "openai/gpt-4o-mini",
  object: "model",
  created: 1721260800,
  owned_by: "openai",
  name: "gpt-4o-mini",
  context_length: 128000,
  pricing: { prompt: "0.00000015", completion: "0.0000006", request: "0" },
  supported_parameters: ["max_completion_tokens", "tools"],
};
const COMPLETION = { id: "chatcmpl-8f2c", created: 1767225600, model: "gpt-4o-mini" };
const TEXT = "In the satchel.";
const chunk = (delta: object, finish_reason: string | null) => ({
  ...COMPLETION,
  object: "chat.completion.chunk",
  choices: [{ index: 0, delta, finish_reason }],
});

const chatCompletions: OpenAiRoute = {
  method: "POST",
  path: "/v1/chat/completions",
  operationId: "createChatCompletion",
  summary: "Create a chat completion",
  description:
    "OpenAI's chat completions, streamed or not. Other parameters than those listed are passed on to the provider. The body is limited to 10 MiB. Satchel reserves the maximum cost before calling the provider, within all limits, and then settles the actual cost. For a provider behind X402, an `upto` offer of version 1 is a permit, which the wallet pays, never free credit. GraphQL: `completeChat`, and for streaming `chatCompletion`.",
  movesMoney: true,
  parameters: z.object({}),
  body: {
    schema: chatBody,
    example: { model: MODEL.id, messages: [{ role: "user", content: "Where does everything belong?" }] },
  },
  success: {
    description: "The completion; with `stream`, its events.",
    schema: completion,
    example: {
      ...COMPLETION,
      object: "chat.completion",
      choices: [{ index: 0, message: { role: "assistant", content: TEXT }, finish_reason: "stop" }],
      usage: { prompt_tokens: 12, completion_tokens: 5, total_tokens: 17 },
    },
  },
  stream: {
    description:
      "Server-sent events. Each `data` is a `chat.completion.chunk`, and the last is `[DONE]`. The comment before it contains the cost in US dollars. A failure during the stream is an event `{ error }` without a following `[DONE]`.",
    example: [chunk({ role: "assistant", content: TEXT }, null), chunk({}, "stop")],
  },
  errors: [
    "invalid_request",
    "unauthorized",
    ...PAYMENT_ERRORS,
    "max_value_exceeded",
    "model_not_found",
    "payload_too_large",
    "internal_error",
    "provider_failed",
    "provider_refused",
  ],
};

const MODELS = { method: "GET", movesMoney: false, body: null, stream: null } as const;

const models: OpenAiRoute = {
  ...MODELS,
  path: "/v1/models",
  operationId: "listModels",
  summary: "List models",
  description: "Returns the language models of the gateway with their prices. GraphQL: `models`.",
  parameters: z.object({}),
  success: {
    description: "The models, ordered by ID.",
    schema: z.object({ object: z.literal("list"), data: z.array(modelEntry) }),
    example: { object: "list", data: [MODEL] },
  },
  errors: ["unauthorized", "internal_error"],
};

const model: OpenAiRoute = {
  ...MODELS,
  path: "/v1/models/{id}",
  operationId: "retrieveModel",
  summary: "Get a model",
  description: "Returns a language model with its prices.",
  parameters: z.object({
    id: z.string().meta({ description: "ID of the model. Its slash may be sent as `/` or `%2F`." }),
  }),
  success: { description: "The model.", schema: modelEntry, example: MODEL },
  errors: ["unauthorized", "model_not_found", "internal_error"],
};

export const OPENAI_ROUTES: readonly OpenAiRoute[] = [chatCompletions, models, model];
