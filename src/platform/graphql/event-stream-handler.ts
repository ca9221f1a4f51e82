import { performance } from "node:perf_hooks";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ExecutionResult, GraphQLError } from "graphql";
import { getCloseSignal } from "./disconnected.ts";
import { type EventStream, openEventStream, type StreamParts } from "./event-stream.ts";
import { formatSingleResult } from "./event-stream-body.ts";
import { statusOf } from "./lean-handler.ts";
import type { GraphqlRequest, GraphqlViewer } from "./options.ts";
import { requestError, serialiseResult } from "./request-errors.ts";
import { checkParams } from "./request-params.ts";
import { type GraphqlService, report, runOperation } from "./service.ts";

/**
 * Runs an operation and responds with an event stream. A query or mutation is a stream of one result.
 *
 * @param input the parsed parameters; not yet checked
 */
export async function respondWithEventStream<TContext extends object, TViewer extends GraphqlViewer>(
  service: GraphqlService<TContext, TViewer>,
  parts: StreamParts<TViewer>,
  request: FastifyRequest,
  reply: FastifyReply,
  input: unknown,
): Promise<FastifyReply> {
  const caller: GraphqlRequest<TViewer> = {
    headers: request.headers,
    ip: request.ip,
    requestId: request.id,
    transport: "http",
    method: request.method,
    access: request,
    // Clients of event streams send every operation again after a lost connection.
    repeatId: "",
    disconnected: () => getCloseSignal(reply.raw),
  };
  const result = await run(service, parts, caller, input, request.method !== "POST", () => void reply.raw.destroy());
  if ("stream" in result) {
    if (result.stream === null) return reply.removeHeader("content-type").code(204).send();
    return setHeaders(reply, 200).send(result.stream);
  }
  const status = statusOf(result, "application/json");
  const text = serialiseResult(result, request.id, service.options.onUnexpectedError);
  // graphql-sse reconnects after every other status than 200, so only temporary failures have another.
  return setHeaders(reply, status === 429 || status >= 500 ? status : 200).send(formatSingleResult(text));
}

function setHeaders(reply: FastifyReply, status: number): FastifyReply {
  return reply.code(status).headers({
    "content-type": "text/event-stream",
    "cache-control": "no-cache",
    // Disables buffering in nginx, because buffering would delay the events.
    "x-accel-buffering": "no",
  });
}

async function run<TContext extends object, TViewer extends GraphqlViewer>(
  service: GraphqlService<TContext, TViewer>,
  parts: StreamParts<TViewer>,
  caller: GraphqlRequest<TViewer>,
  input: unknown,
  isGet: boolean,
  terminate: () => void,
): Promise<ExecutionResult | EventStream> {
  const { onOperation } = service.options;
  const startedMs = performance.now();
  const refuse = (errors: readonly GraphQLError[]): ExecutionResult => {
    if (onOperation) report(onOperation, null, caller.transport, startedMs, errors.length);
    return { errors };
  };
  const checked = checkParams(input, service.limits);
  if (checked.error) return refuse([checked.error]);
  const { operation, errors } = service.store.prepare(checked.params);
  if (errors) return refuse(errors);
  caller.access.loggedOperation = operation.label;
  if (isGet && operation.kind === "mutation") {
    return refuse([requestError("Mutations require POST.", "BAD_REQUEST", 405)]);
  }
  if (operation.kind === "subscription") {
    return openEventStream(service, parts, operation, checked.params, caller, terminate);
  }
  return runOperation(service, operation, checked.params.variables, caller);
}
