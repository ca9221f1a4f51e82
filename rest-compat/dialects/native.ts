/** Routes that speak JSON of this service. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { executionFailure, unionFailure } from "../failure.ts";
import { sendFailure } from "../failure-answer.ts";
import { readBody, readQuery } from "../input.ts";
import type { Failure } from "../route.ts";
import type { Runner } from "../runner.ts";

/** Decodes a request into variables, runs the operation, and answers with its result, for fastify to send: waiting for the reply costs more. */
export async function answerNative(
  { route, run }: Runner,
  request: FastifyRequest,
  reply: FastifyReply,
  context: object,
): Promise<object> {
  // An account's own affairs, and secrets that are shown once.
  reply.header("cache-control", "no-store");
  const path = route.pathParameters ? readQuery(route.pathParameters, request.params) : {};
  const query = readQuery(route.query, request.query);
  const body = route.body === null ? null : readBody(route.body, request.body);
  const variables = route.variables({ query, body, path: path as Record<string, string> });
  const result = await run(variables, context);
  const answer = result.errors || !result.data ? null : route.answer(result.data, variables);
  if (answer === null) {
    const report = (error: unknown) => request.log.error({ err: error, path: route.path }, "unexpected error");
    return sendFailure(reply, executionFailure(route, result, request.id, report));
  }
  if (isFailure(answer)) return sendFailure(reply, unionFailure(route, answer));
  reply.code(route.accepted?.isIt(answer) ? 202 : 200);
  return answer;
}

export function isFailure(answer: object): answer is Failure {
  return "__typename" in answer && "code" in answer;
}
