/** The OpenAI table (spec section 4.5, and decisions, "Gateway"). */
import { z } from "zod";
import type { OpenAiRoute } from "../openai-route.ts";
import { PAYMENT_ERRORS } from "./payment-errors.ts";

/** What the contract names of a chat's body; all else passes through to the provider. */
export const chatBody = z.looseObject({
  model: z.string().min(1, "must not be empty").meta({ description: "The model's id: `<provider>/<model>`." }),
  messages: z
    .array(
      z
        .looseObject({
          role: z.string().meta({
            enum: ["developer", "system", "user", "assistant", "tool", "function"],
            description: "Who says it.",
          }),
          content: z.unknown().meta({
            anyOf: [{ type: "string" }, { type: "array", items: { type: "object" } }, { type: "null" }],
            description: "What is said: a text, or parts that each have a `type`.",
          }),
        })
        .meta({ description: "A message as OpenAI writes it." }),
    )
    .min(1, "must not be empty")
    .meta({ description: "The chat so far, oldest first." }),
  temperature: z.number().nullish().meta({ description: "From 0 to 2." }),
  max_tokens: z.number().nullish().meta({ description: "The longest answer, in tokens." }),
  stream: z.boolean().nullish().meta({ description: "Answer piece by piece, as server-sent events." }),
});

/** The provider's own answer, as far as OpenAI's clients count on it. */
const completion = z.looseObject({
  id: z.string().meta({ description: "The provider's id." }),
  object: z.literal("chat.completion"),
  created: z.int().meta({ description: "When it was answered, in seconds since 1970." }),
  model: z.string().meta({ description: "The model, as its provider calls it." }),
  choices: z
    .array(z.looseObject({ index: z.int(), message: z.looseObject({}), finish_reason: z.string().nullable() }))
    .meta({ description: "The answers: as many as `n` asked for, or one." }),
  usage: z
    .looseObject({ prompt_tokens: z.int(), completion_tokens: z.int(), total_tokens: z.int() })
    .optional()
    .meta({ description: "Tokens used; absent when the provider did not say." }),
});

const modelEntry = z.object({
  id: z.string().meta({ description: "What to name it: `<provider>/<model>`." }),
  object: z.literal("model"),
  created: z.int().meta({ description: "When it came out, in seconds since 1970; 0 where nobody said." }),
  owned_by: z.string().meta({ description: "Who made it, or offers it." }),
  name: z.string().meta({ description: "What people call it." }),
  context_length: z.int().meta({ description: "How many tokens a chat may have, with the answer." }),
  pricing: z
    .object({
      prompt: z.string().meta({ description: "For each token that is sent." }),
      completion: z.string().meta({ description: "For each token it answers." }),
      request: z.string().meta({ description: "For each call, beside its tokens." }),
    })
    .meta({ description: "US dollars, as exact decimals." }),
  supported_parameters: z
    .array(z.string())
    .meta({ description: "Which parameters of a request it understands, as OpenAI names them." }),
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
const ANSWER = { id: "chatcmpl-8f2c", created: 1767225600, model: "gpt-4o-mini" };
const TEXT = "In the satchel.";
const chunk = (delta: object, finish_reason: string | null) => ({
  ...ANSWER,
  object: "chat.completion.chunk",
  choices: [{ index: 0, delta, finish_reason }],
});

const chatCompletions: OpenAiRoute = {
  method: "POST",
  path: "/v1/chat/completions",
  operationId: "createChatCompletion",
  summary: "Have a model complete a chat",
  description:
    "OpenAI's chat completions, whole or streamed. Parameters that are not named here pass through to the provider; the body has at most 10 MiB. The highest cost is reserved before the provider is asked, within every limit, and the real one settled after. At a provider behind X402 free credit never pays an offer `upto` of version 1, which is a permit: the wallet does. In GraphQL: `completeChat`, and streamed `chatCompletion`.",
  movesMoney: true,
  parameters: z.object({}),
  body: {
    schema: chatBody,
    example: { model: MODEL.id, messages: [{ role: "user", content: "Where does everything belong?" }] },
  },
  success: {
    description: "The answer: whole, or with `stream` as it comes.",
    schema: completion,
    example: {
      ...ANSWER,
      object: "chat.completion",
      choices: [{ index: 0, message: { role: "assistant", content: TEXT }, finish_reason: "stop" }],
      usage: { prompt_tokens: 12, completion_tokens: 5, total_tokens: 17 },
    },
  },
  stream: {
    description:
      "Server-sent events. Each `data` is a `chat.completion.chunk`, the last is `[DONE]`; the comment before it has the cost in US dollars. A failure on the way is an event `{ error }`, after which there is no `[DONE]`.",
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
  summary: "Which models there are",
  description: "The language models that the gateway can ask, with their prices. In GraphQL: `models`.",
  parameters: z.object({}),
  success: {
    description: "The models, by id.",
    schema: z.object({ object: z.literal("list"), data: z.array(modelEntry) }),
    example: { object: "list", data: [MODEL] },
  },
  errors: ["unauthorized", "internal_error"],
};

const model: OpenAiRoute = {
  ...MODELS,
  path: "/v1/models/{id}",
  operationId: "retrieveModel",
  summary: "One model",
  description: "A language model with its prices.",
  parameters: z.object({
    id: z.string().meta({ description: "The model's id. Its slash may be sent as it is, or as `%2F`." }),
  }),
  success: { description: "The model.", schema: modelEntry, example: MODEL },
  errors: ["unauthorized", "model_not_found", "internal_error"],
};

export const OPENAI_ROUTES: readonly OpenAiRoute[] = [chatCompletions, models, model];
