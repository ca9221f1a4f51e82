/** Types of a chat completion, read from the provider's JSON. Members that are missing or of another type are null. */
import { builder } from "../builder.ts";

type Json = Readonly<Record<string, unknown>>;

const readObject = (value: unknown): Json => (typeof value === "object" && value !== null ? (value as Json) : {});
export const readText = (value: unknown): string | null => (typeof value === "string" ? value : null);
export const readCount = (value: unknown): number =>
  typeof value === "number" && Number.isSafeInteger(value) && Math.abs(value) < 2 ** 31 ? value : 0;
export const readDate = (seconds: unknown): Date => new Date((typeof seconds === "number" ? seconds : 0) * 1_000);
export const readList = (value: unknown): Json[] => (Array.isArray(value) ? value.map(readObject) : []);

export const ChatUsage = builder.objectRef<Json>("ChatUsage").implement({
  description: "The used tokens, as counted by the provider.",
  fields: (t) => ({
    promptTokens: t.int({
      description: "The number of prompt tokens.",
      resolve: (it) => readCount(it["prompt_tokens"]),
    }),
    completionTokens: t.int({
      description: "The number of completion tokens.",
      resolve: (it) => readCount(it["completion_tokens"]),
    }),
    totalTokens: t.int({ description: "The total number of tokens.", resolve: (it) => readCount(it["total_tokens"]) }),
  }),
});

const ChatMessage = builder.objectRef<Json>("ChatMessage").implement({
  description: "A message of a language model, or in a stream the new part of it.",
  fields: (t) => ({
    role: t.string({
      nullable: true,
      description: "The role of the message's author.",
      resolve: (it) => readText(it["role"]),
    }),
    content: t.string({
      nullable: true,
      description: "The content of the message.",
      resolve: (it) => readText(it["content"]),
    }),
    refusal: t.string({
      nullable: true,
      description: "The model's refusal, if it declined the request.",
      resolve: (it) => readText(it["refusal"]),
    }),
    toolCalls: t.field({
      type: "JSON",
      nullable: true,
      description: "The tool calls that the model requests, in OpenAI's format.",
      resolve: (it) => it["tool_calls"] ?? null,
    }),
  }),
});

export const ChatChoice = builder.objectRef<Json>("ChatChoice").implement({
  description: "One of the requested completions.",
  fields: (t) => ({
    index: t.int({ description: "The index of the choice, starting at 0.", resolve: (it) => readCount(it["index"]) }),
    finishReason: t.string({
      nullable: true,
      description: "The reason for the end: `stop`, `length`, `tool_calls` or `content_filter`. Null until the end.",
      resolve: (it) => readText(it["finish_reason"]),
    }),
    message: t.field({
      type: ChatMessage,
      description: "The message, or in a stream the new part of it.",
      resolve: (it) => readObject(it["message"] ?? it["delta"]),
    }),
  }),
});
