/** Types of a chat completion, read from the provider's JSON. Members that are missing or of another type are null. */
import { builder } from "../builder.ts";
import { wireEnum } from "../wire-enum.ts";

type Json = Readonly<Record<string, unknown>>;

const readObject = (value: unknown): Json => (typeof value === "object" && value !== null ? (value as Json) : {});
export const readText = (value: unknown): string | null => (typeof value === "string" ? value : null);
export const readCount = (value: unknown): number =>
  typeof value === "number" && Number.isSafeInteger(value) && Math.abs(value) < 2 ** 31 ? value : 0;
/** The end of the year 9999. */
const MAX_SECONDS = 253_402_300_799;
export const readDate = (seconds: unknown): Date => {
  const isInRange = typeof seconds === "number" && seconds >= 0 && seconds <= MAX_SECONDS;
  return new Date((isInRange ? seconds : 0) * 1_000);
};
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
    costUsd: t.field({
      type: "Usd",
      nullable: true,
      description: "The cost of the call. Null if it is not known yet.",
      resolve: ({ cost }) => (typeof cost === "number" ? BigInt(Math.round(cost * 1_000_000)) : null),
    }),
    totalTokens: t.int({ description: "The total number of tokens.", resolve: (it) => readCount(it["total_tokens"]) }),
  }),
});

const CHAT_ROLES = {
  developer: "Instructions of the developer.",
  system: "Instructions of the developer, for older models.",
  user: "The user.",
  assistant: "The language model.",
  tool: "The result of a tool call.",
  function: "The result of a function call, for older models.",
} as const;

const CHAT_ROLE_VALUES = Object.keys(CHAT_ROLES) as (keyof typeof CHAT_ROLES)[];

export const ChatRole = wireEnum("ChatRole", "The role of a message's author.", CHAT_ROLES);

const FINISH_REASONS = {
  stop: "The message is complete, or a stop sequence occurred.",
  length: "The maximum number of tokens was reached.",
  tool_calls: "The model requests tool calls.",
  content_filter: "The provider's filter removed content.",
  function_call: "The model requests a function call, for older models.",
  other: "Another reason, which only the provider defines.",
} as const;

const FINISH_REASON_VALUES = Object.keys(FINISH_REASONS) as (keyof typeof FINISH_REASONS)[];

const ChatFinishReason = wireEnum("ChatFinishReason", "The reason why a message ended.", FINISH_REASONS);

const ChatToolCall = builder.objectRef<Json>("ChatToolCall").implement({
  description: "A tool call that the model requests, or in a stream the new part of it.",
  fields: (t) => ({
    index: t.int({
      nullable: true,
      description: "The index of the tool call, by which the parts of a stream belong together. Null outside streams.",
      resolve: (it) => (typeof it["index"] === "number" ? readCount(it["index"]) : null),
    }),
    toolCallId: t.string({
      nullable: true,
      description: "The provider's id of the tool call, for the result. Null in later parts of a stream.",
      resolve: (it) => readText(it["id"]),
    }),
    functionName: t.string({
      nullable: true,
      description: "The name of the function. Null in later parts of a stream.",
      resolve: (it) => readText(readObject(it["function"])["name"]),
    }),
    arguments: t.string({
      nullable: true,
      description: "The arguments as JSON text, in a stream the new part. The model may generate invalid JSON.",
      resolve: (it) => readText(readObject(it["function"])["arguments"]),
    }),
  }),
});

const ChatMessage = builder.objectRef<Json>("ChatMessage").implement({
  description: "A message of a language model, or in a stream the new part of it.",
  fields: (t) => ({
    role: t.field({
      type: ChatRole,
      nullable: true,
      description: "The role of the message's author. Null in later parts of a stream.",
      resolve: (it) => CHAT_ROLE_VALUES.find((role) => role === it["role"]),
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
      type: [ChatToolCall],
      description: "The tool calls that the model requests. Empty if there are none.",
      resolve: (it) => readList(it["tool_calls"]),
    }),
  }),
});

export const ChatChoice = builder.objectRef<Json>("ChatChoice").implement({
  description: "One of the requested completions.",
  fields: (t) => ({
    index: t.int({ description: "The index of the choice, starting at 0.", resolve: (it) => readCount(it["index"]) }),
    finishReason: t.field({
      type: ChatFinishReason,
      nullable: true,
      description: "The reason for the end. Null until the end.",
      resolve: (it) => {
        const reason = readText(it["finish_reason"]);
        return reason === null ? null : (FINISH_REASON_VALUES.find((known) => known === reason) ?? "other");
      },
    }),
    message: t.field({
      type: ChatMessage,
      description: "The message, or in a stream the new part of it.",
      resolve: (it) => readObject(it["message"] ?? it["delta"]),
    }),
  }),
});
