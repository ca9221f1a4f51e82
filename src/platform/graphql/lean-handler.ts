import { performance } from "node:perf_hooks";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ExecutionResult, GraphQLError } from "graphql";
import { type Accepted, readAccept } from "./accept.ts";
import { getCloseSignal } from "./disconnected.ts";
import type { GraphqlRequest, GraphqlViewer } from "./options.ts";
import { formatResult, notAcceptable, requestError } from "./request-errors.ts";
import { checkParams, tooLarge } from "./request-params.ts";
import { type GraphqlService, report, runOperation } from "./service.ts";

/** The result of a request, or "stream" for a subscription, which requires an event stream. */
type Outcome = ExecutionResult | "stream";

/**
 * Handles plain JSON POST requests without a Fetch API request and response, which would cost ten times the rest. Sets status and
 * content type of `reply`. Returns the text of the response, or null if the client requires an event stream.
 *
 * @param body the text of the request body
 */
export async function handleJsonPost<TContext extends object, TViewer extends GraphqlViewer>(
  service: GraphqlService<TContext, TViewer>,
  request: FastifyRequest,
  reply: FastifyReply,
  body: string,
): Promise<string | null> {
  const accepted = readAccept(request.headers.accept);
  if (accepted.json === null) {
    if (accepted.eventStream) return null;
    return formatReply(reply, { json: "application/json", eventStream: false }, [{ errors: [notAcceptable()] }]);
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return formatReply(reply, accepted, [{ errors: [requestError("The body is not valid JSON.", "BAD_REQUEST")] }]);
  }
  const caller: GraphqlRequest<TViewer> = {
    headers: request.headers,
    ip: request.ip,
    requestId: request.id,
    transport: "http",
    disconnected: () => getCloseSignal(reply.raw),
    addHeader: (name, value) => void reply.header(name, value),
  };
  if (Array.isArray(parsed)) {
    const refusal = checkBatch(parsed, service.limits.maxBatch);
    const withoutStream = { ...accepted, eventStream: false };
    const outcomes = refusal
      ? [{ errors: [refusal] }]
      : await Promise.all(parsed.map((one) => runParams(service, one, body.length, caller, withoutStream)));
    return formatReply(reply, accepted, outcomes as ExecutionResult[], refusal === null);
  }
  const outcome = await runParams(service, parsed, body.length, caller, accepted);
  if (outcome === "stream") return null;
  return formatReply(reply, accepted, [outcome]);
}

function checkBatch(batch: readonly unknown[], maxBatch: number): GraphQLError | null {
  if (batch.length > maxBatch) return tooLarge("operations in a batch", maxBatch);
  return batch.length === 0 ? requestError("The batch is empty.", "BAD_REQUEST") : null;
}

function runParams<TContext extends object, TViewer extends GraphqlViewer>(
  service: GraphqlService<TContext, TViewer>,
  input: unknown,
  bodyLength: number,
  caller: GraphqlRequest<TViewer>,
  accepted: Accepted,
): Outcome | Promise<Outcome> {
  const { onOperation } = service.options;
  const startedMs = onOperation ? performance.now() : 0;
  const refuse = (errors: readonly GraphQLError[]): ExecutionResult => {
    if (onOperation) report(onOperation, null, caller.transport, startedMs, errors.length);
    return { errors };
  };
  // A UTF-16 code unit has at most three bytes in UTF-8.
  const checked = checkParams(input, service.limits, bodyLength * 3);
  if (checked.error) return refuse([checked.error]);
  const { query, operationName, variables } = checked.params;
  const { operation, errors } = service.store.prepare(query, operationName);
  if (errors) return refuse(errors);
  if (operation.kind === "subscription") return accepted.eventStream ? "stream" : refuse([notAcceptable()]);
  return runOperation(service, operation, variables, caller);
}

/** Returns the HTTP status of a result: the highest status among its request errors, or 200. */
export function statusOf(result: ExecutionResult, mediaType: string): number {
  let status = 200;
  for (const error of result.errors ?? []) {
    const http = error.extensions?.["http"] as { status?: number; spec?: boolean } | undefined;
    if (!http?.status || (http.spec && mediaType === "application/json")) continue;
    status = Math.max(status, http.status);
  }
  return status;
}

function formatReply(
  reply: FastifyReply,
  accepted: Accepted,
  results: readonly ExecutionResult[],
  batch = false,
): string {
  const mediaType = accepted.json ?? "application/json";
  reply.header("content-type", `${mediaType}; charset=utf-8`);
  const [only] = results;
  if (batch || !only) return JSON.stringify(results.map(formatResult));
  if (only.errors) reply.code(statusOf(only, mediaType));
  return JSON.stringify(formatResult(only));
}
