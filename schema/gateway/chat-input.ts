/** The chat input, and its conversion to OpenAI's format. */
import { builder } from "../builder.ts";
import { IDEMPOTENCY_KEY } from "../idempotency.ts";
import { ChatMessageInput, toOpenAiMessage } from "./chat-input-message.ts";

export const CompleteChatInput = builder.inputType("CompleteChatInput", {
  description: "A chat to complete.",
  fields: (t) => ({
    model: t.string({
      required: true,
      description: "The ID of the model, such as `openai/gpt-4o`. `models` lists all.",
    }),
    messages: t.field({
      type: [ChatMessageInput],
      required: true,
      description: "The messages of the chat, oldest first.",
    }),
    temperature: t.float({
      description: "The sampling temperature, from 0 to 2. Higher values give more random output.",
    }),
    maxTokens: t.int({ description: "The maximum number of completion tokens; default: the model's limit." }),
    parameters: t.field({
      type: "JSON",
      description:
        "Other parameters by the names in OpenAI's API reference (Create chat completion), such as `tools` and `response_format`. Passed on unchanged.",
    }),
    idempotencyKey: t.string(IDEMPOTENCY_KEY),
  }),
});

type ChatInputFields = typeof CompleteChatInput.$inferInput;

/**
 * Converts the input to a body in OpenAI's format.
 * @param isStreamed whether the operation streams, regardless of `parameters`
 */
export function toOpenAiBody(
  { model, messages, temperature, maxTokens, parameters }: ChatInputFields,
  isStreamed: boolean,
): object {
  const isObject = typeof parameters === "object" && parameters !== null && !Array.isArray(parameters);
  return {
    ...(isObject ? parameters : {}),
    model,
    messages: messages.map(toOpenAiMessage),
    ...(typeof temperature === "number" ? { temperature } : {}),
    ...(typeof maxTokens === "number" ? { max_tokens: maxTokens } : {}),
    ...(isStreamed
      ? { stream: true, stream_options: { include_usage: true } }
      : { stream: undefined, stream_options: undefined }),
  };
}
