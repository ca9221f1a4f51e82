/** Replies of the sandbox's language model, deterministic for each request. */

export interface ChatRequest {
  model: string;
  messages: { role?: string; content?: string | { type?: string; text?: string }[] | null }[];
  stream?: boolean;
  stream_options?: { include_usage?: boolean };
  n?: number;
  max_tokens?: number;
  max_completion_tokens?: number;
  stop?: string | string[];
  tools?: { type?: string; function?: { name: string; parameters?: Schema } }[];
  tool_choice?: string | { function?: { name?: string } };
  response_format?: { type?: string; json_schema?: { schema?: Schema } };
  /** Sandbox extension: delay before each piece, number of pieces, and a hold until `POST /holds/<name>/release`. */
  sandbox?: { delay_ms?: number; pieces?: number; hold?: string };
}

/** Reads a body. A parameter that is null counts as absent, as at OpenAI. */
export function readChatRequest(body: unknown): ChatRequest {
  return Object.fromEntries(
    Object.entries(body as object).filter(([, value]) => value !== null),
  ) as unknown as ChatRequest;
}

interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: unknown[];
}

export interface Reply {
  /** One entry per choice: text in pieces of one token each, or a tool call. */
  choices: {
    pieces: string[];
    toolCall: { id: string; name: string; arguments: string } | null;
    finishReason: string;
  }[];
  promptTokens: number;
  completionTokens: number;
}

const DEFAULT_MAX_TOKENS = 1_024;

export function maxTokensOf(request: ChatRequest): number {
  return (request.max_completion_tokens ?? request.max_tokens ?? DEFAULT_MAX_TOKENS) * (request.n ?? 1);
}

/** Counts prompt tokens: four bytes are one token, and an image is 85. */
export function promptTokensOf({ messages, tools }: ChatRequest): number {
  let tokens = 3 + (tools ? Math.ceil(JSON.stringify(tools).length / 4) : 0);
  for (const { content } of messages) {
    tokens += 3 + Math.ceil(Buffer.byteLength(textOf(content)) / 4) + 85 * picturesIn(content);
  }
  return tokens;
}

export function replyTo(request: ChatRequest): Reply {
  const limit = request.max_completion_tokens ?? request.max_tokens ?? DEFAULT_MAX_TOKENS;
  const choices = Array.from({ length: request.n ?? 1 }, (_, index) => choiceOf(request, index, limit));
  const completionTokens = choices.reduce(
    (sum, { pieces, toolCall }) => sum + pieces.length + (toolCall ? piecesOf(toolCall.arguments).length : 0),
    0,
  );
  return { choices, promptTokens: promptTokensOf(request), completionTokens };
}

function choiceOf(request: ChatRequest, index: number, limit: number): Reply["choices"][number] {
  const { messages, tools = [], tool_choice: requestedChoice } = request;
  const last = messages.at(-1);
  const said = textOf(last?.content);
  const name = typeof requestedChoice === "object" ? requestedChoice.function?.name : undefined;
  const tool = tools.find((one) => name === undefined || one.function?.name === name)?.function;
  if (tool && requestedChoice !== "none" && last?.role !== "tool") {
    const args = JSON.stringify(exampleOf(tool.parameters ?? { type: "object" }, said));
    return {
      pieces: [],
      toolCall: { id: `call_${index}`, name: tool.name, arguments: args },
      finishReason: "tool_calls",
    };
  }
  const all = piecesOf(cutAtStop(textFor(request, said, picturesIn(last?.content), index), request.stop));
  const pieces = all.slice(0, limit);
  return { pieces, toolCall: null, finishReason: pieces.length < all.length ? "length" : "stop" };
}

function textFor(request: ChatRequest, said: string, pictures: number, index: number): string {
  const { type, json_schema: requestedSchema } = request.response_format ?? {};
  if (type === "json_schema") return JSON.stringify(exampleOf(requestedSchema?.schema ?? { type: "object" }, said));
  if (type === "json_object") return JSON.stringify({ answer: said });
  if (request.sandbox?.pieces) return Array.from({ length: request.sandbox.pieces }, (_, n) => `${n + 1}`).join(" ");
  const seen = pictures > 0 ? ` I see ${pictures} picture${pictures > 1 ? "s" : ""}.` : "";
  return `You said: ${said}${seen}${index > 0 ? ` (${index + 1})` : ""}`;
}

function cutAtStop(text: string, stop: string | string[] | undefined): string {
  const ends = [stop ?? []].flat().map((one) => text.indexOf(one));
  return text.slice(0, Math.min(text.length, ...ends.filter((end) => end >= 0)));
}

function piecesOf(text: string): string[] {
  return text.match(/\s*\S{1,6}\s*?/g) ?? [];
}

function exampleOf(schema: Schema, said: string): unknown {
  if (schema.enum?.length) return schema.enum[0];
  if (schema.type === "number" || schema.type === "integer") return said.length;
  if (schema.type === "boolean") return true;
  if (schema.type === "array") return [exampleOf(schema.items ?? {}, said)];
  if (schema.type === "object" || schema.properties) {
    return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([key, one]) => [key, exampleOf(one, said)]));
  }
  return said;
}

function textOf(content: ChatRequest["messages"][number]["content"]): string {
  if (typeof content === "string") return content;
  return (content ?? []).map(({ text }) => text ?? "").join("");
}

function picturesIn(content: ChatRequest["messages"][number]["content"]): number {
  return Array.isArray(content) ? content.filter(({ type }) => type === "image_url").length : 0;
}
