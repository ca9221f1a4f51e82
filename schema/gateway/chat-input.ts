/** A chat as GraphQL takes it, and as OpenAI writes it. */
import { builder } from "../builder.ts";
import { IDEMPOTENCY_KEY } from "../idempotency.ts";

export const CompleteChatInput = builder.inputType("CompleteChatInput", {
  description: "A chat for a language model to complete. Messages and further parameters are as OpenAI writes them.",
  fields: (t) => ({
    model: t.string({ required: true, description: "The model's id, such as `openai/gpt-4o`; `models` lists them." }),
    messages: t.field({
      type: ["JSON"],
      required: true,
      description: "The chat so far, oldest first: objects with `role` and `content`.",
    }),
    temperature: t.float({ description: "From 0, always the same, to 2, the most varied." }),
    maxTokens: t.int({ description: "The longest answer, in tokens; default: the model's own limit." }),
    parameters: t.field({
      type: "JSON",
      description: "Any other parameters by OpenAI's names, such as `tools` and `response_format`; they pass through.",
    }),
    idempotencyKey: t.string(IDEMPOTENCY_KEY),
  }),
});

type Given = typeof CompleteChatInput.$inferInput;

/** @param streaming as the operation wants it; null leaves it to the parameters */
export function bodyOf(
  { model, messages, temperature, maxTokens, parameters }: Given,
  streaming: boolean | null,
): object {
  const isObject = typeof parameters === "object" && parameters !== null && !Array.isArray(parameters);
  return {
    ...(isObject ? parameters : {}),
    model,
    messages,
    ...(typeof temperature === "number" ? { temperature } : {}),
    ...(typeof maxTokens === "number" ? { max_tokens: maxTokens } : {}),
    ...(streaming === true ? { stream: true, stream_options: { include_usage: true } } : {}),
    ...(streaming === false ? { stream: undefined, stream_options: undefined } : {}),
  };
}
