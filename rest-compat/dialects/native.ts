/** The native dialect: routes with Satchel's own JSON. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { convertExecutionFailure, convertUnionFailure } from "../failure.ts";
import { sendFailure } from "../failure-response.ts";
import { readBody, readQuery } from "../input.ts";
import type { Failure } from "../route.ts";
import type { Runner } from "../runner.ts";

/**
 * Decodes a request into variables, runs the operation and returns the response body. Fastify sends the returned body;
 * awaiting `reply.send` is slower.
 */
export async function handleNativeRequest(
  { route, run, onUnknown }: Runner,
  request: FastifyRequest,
  reply: FastifyReply,
  context: object,
): Promise<object> {
  // Responses contain account data, and secrets that are shown only once.
  reply.header("cache-control", "no-store");
  const path = route.pathParameters ? readQuery(route.pathParameters, request.params, onUnknown) : {};
  const query = readQuery(route.query, request.query, onUnknown);
  const body = readBody(route.body, request.body, onUnknown);
  const variables = route.variables({ query, body, path: path as Record<string, string> });
  const result = await run(variables, context);
  const responseBody = result.errors || !result.data ? null : route.toResponse(result.data, variables);
  if (responseBody === null) {
    const report = (error: unknown) => request.log.error({ err: error, path: route.path }, "unexpected error");
    const failure = convertExecutionFailure(route, result, request.id, report);
    if (failure.body.error === "internal_error" && route.responseToFailure) return route.responseToFailure;
    return sendFailure(reply, failure);
  }
  if (isFailure(responseBody)) return sendFailure(reply, convertUnionFailure(route, responseBody));
  reply.code(route.accepted?.matches(responseBody) ? 202 : 200);
  return responseBody;
}

export function isFailure(result: object): result is Failure {
  return "__typename" in result && "code" in result;
}
