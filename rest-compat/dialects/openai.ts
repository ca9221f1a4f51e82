/** OpenAI's chat completions and models (spec section 4.5). */
import type { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ExecutionResult } from "graphql";
import type { CompleteChatMutation, CompleteChatMutationVariables, ModelsQuery } from "../generated/graphql.ts";
import { readBody } from "../input.ts";
import { chatBody, type ModelEntry } from "../routes/openai.ts";
import { executionFailure, openAiFailure, sendOpenAiFailure, unionFailure } from "./openai-failure.ts";

type Result<Data> = ExecutionResult<Data>;
type Run<Data, Variables> = (variables: Variables, context: object) => Result<Data> | Promise<Result<Data>>;

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** What all of it is there of is a text. */
  readonly body: Readable | string;
}

/** Runs the operation; what it answers goes out as it comes. */
export async function answerChat(
  run: Run<CompleteChatMutation, CompleteChatMutationVariables>,
  request: FastifyRequest,
  reply: FastifyReply,
  context: object,
): Promise<FastifyReply | Answer["body"]> {
  const { model, messages, ...parameters } = readBody(chatBody, request.body) as {
    model: string;
    messages: unknown[];
  };
  const disconnect = new AbortController();
  reply.raw.once("close", () => {
    if (!reply.raw.writableFinished) disconnect.abort();
  });
  let answer: Answer | undefined;
  const exchange = {
    headers: {},
    body: null,
    signal: disconnect.signal,
    onBody(given: Answer) {
      answer = given;
    },
  };
  const result = await run({ input: { model, messages, parameters } }, { ...context, exchange });
  if (disconnect.signal.aborted) {
    leave(answer);
    return reply.hijack();
  }
  const data = result.errors || !result.data ? null : result.data.completeChat;
  if (data && "code" in data) return sendOpenAiFailure(reply, unionFailure(data));
  if (!data || !answer) {
    leave(answer);
    const report = (error: unknown) => request.log.error({ err: error, path: request.url }, "unexpected error");
    return sendOpenAiFailure(reply, executionFailure(result, request.id, report));
  }
  reply.code(answer.status).headers(answer.headers);
  return answer.body;
}

/** Nobody reads what is still to come. */
function leave(answer: Answer | undefined): void {
  if (answer && typeof answer.body !== "string") answer.body.destroy();
}

/** The list, or with an id in the path that one model. */
export async function answerModels(
  run: Run<ModelsQuery, Readonly<Record<string, unknown>>>,
  request: FastifyRequest,
  reply: FastifyReply,
  context: object,
): Promise<FastifyReply> {
  reply.header("cache-control", "no-store");
  const result = await run({}, context);
  if (result.errors || !result.data) {
    const report = (error: unknown) => request.log.error({ err: error, path: request.url }, "unexpected error");
    return sendOpenAiFailure(reply, executionFailure(result, request.id, report));
  }
  const data = result.data.models.map(entryOf);
  const { "*": id } = request.params as { "*"?: string };
  if (id === undefined) return reply.send({ object: "list", data });
  const found = data.find((model) => model.id === id);
  if (found) return reply.send(found);
  return sendOpenAiFailure(reply, openAiFailure("model_not_found", `There is no model ${id}.`, "model"));
}

/** See decisions, "Gateway". */
function entryOf(model: ModelsQuery["models"][number]): ModelEntry {
  return {
    id: model.id,
    object: "model",
    created: Math.floor(Date.parse(model.createdAt) / 1_000),
    owned_by: model.ownedBy,
    name: model.name,
    context_length: model.contextLength,
    pricing: model.pricing,
    supported_parameters: model.supportedParameters,
  };
}
