/** The chat input, and its conversion to OpenAI's format. */
import { builder } from "../builder.ts";
import { IDEMPOTENCY_KEY } from "../idempotency.ts";

export const CompleteChatInput = builder.inputType("CompleteChatInput", {
  description: "A chat to complete. Messages and parameters have OpenAI's format.",
  fields: (t) => ({
    model: t.string({
      required: true,
      description: "The ID of the model, such as `openai/gpt-4o`. `models` lists all.",
    }),
    messages: t.field({
      type: ["JSON"],
      required: true,
      description: "The messages of the chat, oldest first: objects with `role` and `content`.",
    }),
    temperature: t.float({
      description: "The sampling temperature, from 0 to 2. Higher values give more random output.",
    }),
    maxTokens: t.int({ description: "The maximum number of completion tokens; default: the model's limit." }),
    parameters: t.field({
      type: "JSON",
      description: "Other parameters by OpenAI's names, such as `tools` and `response_format`; passed on unchanged.",
    }),
    idempotencyKey: t.string(IDEMPOTENCY_KEY),
  }),
});

type ChatInputFields = typeof CompleteChatInput.$inferInput;

/**
 * Converts the input to a body in OpenAI's format.
 * @param isStreamed whether the operation streams; null to use the value in `parameters`
 */
export function toOpenAiBody(
  { model, messages, temperature, maxTokens, parameters }: ChatInputFields,
  isStreamed: boolean | null,
): object {
  const isObject = typeof parameters === "object" && parameters !== null && !Array.isArray(parameters);
  return {
    ...(isObject ? parameters : {}),
    model,
    messages,
    ...(typeof temperature === "number" ? { temperature } : {}),
    ...(typeof maxTokens === "number" ? { max_tokens: maxTokens } : {}),
    ...(isStreamed === true ? { stream: true, stream_options: { include_usage: true } } : {}),
    ...(isStreamed === false ? { stream: undefined, stream_options: undefined } : {}),
  };
}
