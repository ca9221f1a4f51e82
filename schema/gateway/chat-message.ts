/** What a language model answers, read from what a provider wrote: a member that is missing or of another type is null. */
import { builder } from "../builder.ts";

type Json = Readonly<Record<string, unknown>>;

const objectOf = (value: unknown): Json => (typeof value === "object" && value !== null ? (value as Json) : {});
export const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);
export const countOf = (value: unknown): number =>
  typeof value === "number" && Number.isSafeInteger(value) && Math.abs(value) < 2 ** 31 ? value : 0;
export const dateOf = (seconds: unknown): Date => new Date((typeof seconds === "number" ? seconds : 0) * 1_000);
export const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.map(objectOf) : []);

export const ChatUsage = builder.objectRef<Json>("ChatUsage").implement({
  description: "Tokens used, as the provider counted them.",
  fields: (t) => ({
    promptTokens: t.int({ description: "Sent.", resolve: (it) => countOf(it["prompt_tokens"]) }),
    completionTokens: t.int({ description: "Answered.", resolve: (it) => countOf(it["completion_tokens"]) }),
    totalTokens: t.int({ description: "Both.", resolve: (it) => countOf(it["total_tokens"]) }),
  }),
});

const ChatMessage = builder.objectRef<Json>("ChatMessage").implement({
  description: "A message of a language model, or in a stream a piece of it.",
  fields: (t) => ({
    role: t.string({ nullable: true, description: "Who speaks.", resolve: (it) => textOf(it["role"]) }),
    content: t.string({ nullable: true, description: "What it says.", resolve: (it) => textOf(it["content"]) }),
    refusal: t.string({
      nullable: true,
      description: "Why it would not answer.",
      resolve: (it) => textOf(it["refusal"]),
    }),
    toolCalls: t.field({
      type: "JSON",
      nullable: true,
      description: "Tools it wants called, as OpenAI writes them.",
      resolve: (it) => it["tool_calls"] ?? null,
    }),
  }),
});

export const ChatChoice = builder.objectRef<Json>("ChatChoice").implement({
  description: "One of the answers asked for.",
  fields: (t) => ({
    index: t.int({ description: "Which of them.", resolve: (it) => countOf(it["index"]) }),
    finishReason: t.string({
      nullable: true,
      description: "Why it ended: `stop`, `length`, `tool_calls`, `content_filter`; null while it goes on.",
      resolve: (it) => textOf(it["finish_reason"]),
    }),
    message: t.field({
      type: ChatMessage,
      description: "The message; in a stream what is new of it.",
      resolve: (it) => objectOf(it["message"] ?? it["delta"]),
    }),
  }),
});
