/** Chat completion requests. Only the members that the gateway needs are validated; others are passed on unchanged. */
import { z } from "zod";
import { formatPath, InvalidRequestError } from "../platform/errors.ts";
import { isWithinDepth } from "../platform/json-depth.ts";
import { createInputError, orMissing } from "../platform/validation.ts";

/** Deeper bodies cannot be serialised for a provider. Schemas of tools stay far below. */
const MAX_DEPTH = 256;

const positiveInteger = (max: number) =>
  z.int(`must be a whole number`).min(1, "must be at least 1").max(max, `must be at most ${max}`);

const ROLES = ["developer", "system", "user", "assistant", "tool", "function"] as const;
/** Members that an assistant message may contain in place of `content`. */
const INSTEAD_OF_CONTENT = ["tool_calls", "function_call", "audio", "refusal"] as const;

// A provider charges even for content that it cannot parse, so invalid content is rejected before the payment.
const part = z
  .looseObject({ type: z.string() })
  .refine(({ type, text }) => type !== "text" || typeof text === "string", {
    path: ["text"],
    message: "must be a string",
  });

const message = z
  .looseObject(
    {
      role: z.enum(ROLES, orMissing(`must be one of ${ROLES.join(", ")}`)),
      content: z.union([z.string(), z.array(part)], "must be a text or an array of parts, each with a type").nullish(),
    },
    "must be an object",
  )
  .refine((given) => given.content != null || isContentOptional(given), { path: ["content"], message: "is missing" });

/** The result of a function may be empty. */
const isContentOptional = ({
  role,
  ...members
}: {
  readonly role: string;
  readonly [name: string]: unknown;
}): boolean =>
  role === "function" || (role === "assistant" && INSTEAD_OF_CONTENT.some((name) => members[name] != null));

const schema = z.looseObject({
  model: z.string(orMissing("must be a string")).min(1, "must not be empty").max(400, "is too long"),
  messages: z
    .array(message, orMissing("must be an array"))
    .min(1, "must not be empty")
    .max(10_000, "has too many elements"),
  temperature: z.number("must be a number").min(0, "must not be negative").max(2, "must be at most 2").nullish(),
  max_tokens: positiveInteger(100_000_000).nullish(),
  max_completion_tokens: positiveInteger(100_000_000).nullish(),
  n: positiveInteger(16).nullish(),
  stop: z.union([z.string(), z.array(z.string())], "must be a text or an array of texts").nullish(),
  tools: z.array(z.looseObject({}, "must be an object"), "must be an array").nullish(),
  response_format: z.looseObject({ type: z.string(orMissing("must be a string")) }, "must be an object").nullish(),
  service_tier: z.string("must be a string").max(40, "is too long").nullish(),
  stream: z.boolean("must be true or false").nullish(),
  stream_options: z
    .looseObject({ include_usage: z.boolean("must be true or false").nullish() }, "must be an object")
    .nullish(),
});

/** The body in OpenAI's format (platform.openai.com/docs/api-reference/chat/create). */
export type ChatBody = z.output<typeof schema>;

export interface ChatRequest {
  readonly body: ChatBody;
  readonly model: string;
  readonly isStreamed: boolean;
  /** Whether the caller requested usage as the last chunk of the stream. */
  readonly isUsageRequested: boolean;
}

/** Validates a chat body. @throws {InvalidRequestError} with the invalid field in OpenAI's notation. */
export function readChatRequest(json: unknown): ChatRequest {
  const { success, data, error } = schema.safeParse(json);
  if (!success) throw createInputError(error.issues, (path) => formatPath(path) || "The body");
  const deep = Object.keys(data).find((name) => !isWithinDepth(data[name], MAX_DEPTH));
  if (deep !== undefined) throw new InvalidRequestError(`${deep} is nested too deeply.`, deep);
  return {
    body: data,
    model: data.model,
    isStreamed: data.stream === true,
    isUsageRequested: data.stream_options?.include_usage === true,
  };
}
