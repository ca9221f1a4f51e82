import { performance } from "node:perf_hooks";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ExecutionResult, GraphQLError } from "graphql";
import type { AccessNote } from "../http/access-log.ts";
import { type Accepted, readAccept } from "./accept.ts";
import { getCloseSignal } from "./disconnected.ts";
import type { Operation } from "./operation-store.ts";
import type { GraphqlRequest, GraphqlViewer } from "./options.ts";
import { notAcceptable, requestError, serialiseResult } from "./request-errors.ts";
import { checkParams, tooLarge } from "./request-params.ts";
import { type GraphqlService, report, runOperation } from "./service.ts";

/** The result of a request, or "stream" for a subscription, which requires an event stream. */
type Outcome = ExecutionResult | "stream";

/** A batch above the limit with more entries receives one result, since each error is longer than a minimal entry. */
const MAX_BATCH_ERRORS = 100;

/**
 * Runs the operations of a request without a Fetch API request and response, which would cost ten times the rest. Sets status and
 * content type of `reply`. Returns the text of the response, or null if the client requires an event stream.
 *
 * @param input the parsed parameters, or an array of them; not yet checked
 * @param length length of the text that `input` was parsed from
 */
export async function runRequest<TContext extends object, TViewer extends GraphqlViewer>(
  service: GraphqlService<TContext, TViewer>,
  request: FastifyRequest,
  reply: FastifyReply,
  input: unknown,
  length: number,
): Promise<string | null> {
  const header = readAccept(request.headers.accept);
  const isBatch = Array.isArray(input);
  const accepted = isBatch || request.method === "HEAD" ? { ...header, eventStream: false } : header;
  const mediaType = accepted.json ?? "application/json";
  reply.header("content-type", `${mediaType}; charset=utf-8`);
  const serialise = (result: ExecutionResult) => serialiseResult(result, request.id, service.options.onUnexpectedError);

  if (accepted.json === null && accepted.eventStream) return null;
  const refusal =
    accepted.json === null ? notAcceptable() : isBatch ? checkBatch(input, service.limits.maxBatch) : null;
  if (refusal) {
    const result = { errors: [refusal] };
    reply.code(statusOf(result, mediaType));
    if (!isBatch) return serialise(result);
    const count = input.length > MAX_BATCH_ERRORS ? 1 : Math.max(1, input.length);
    return `[${Array(count).fill(serialise(result)).join()}]`;
  }
  const caller: GraphqlRequest<TViewer> = {
    headers: request.headers,
    ip: request.ip,
    requestId: request.id,
    transport: "http",
    method: request.method,
    access: request,
    disconnected: () => getCloseSignal(reply.raw),
    addHeader: (name, value) => void reply.header(name, value),
  };
  const isGet = request.method !== "POST";
  if (isBatch) {
    const results = await Promise.all(input.map((one) => runParams(service, one, length, caller, accepted, isGet)));
    return `[${(results as ExecutionResult[]).map(serialise).join()}]`;
  }
  const outcome = await runParams(service, input, length, caller, accepted, isGet);
  if (outcome === "stream") return null;
  if (outcome.errors) {
    reply.code(statusOf(outcome, mediaType));
    const retryAfterMs = outcome.errors.find(({ extensions }) => extensions?.["retryAfterMs"])?.extensions[
      "retryAfterMs"
    ];
    if (typeof retryAfterMs === "number") reply.header("retry-after", Math.ceil(retryAfterMs / 1_000));
  }
  return serialise(outcome);
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
  isGet: boolean,
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
  const { operation, errors } = service.store.prepare(checked.params);
  if (errors) return refuse(errors);
  noteOperation(caller.access, operation);
  if (isGet && operation.kind === "mutation") {
    caller.addHeader?.("allow", "POST");
    return refuse([requestError("Mutations require POST.", "BAD_REQUEST", 405)]);
  }
  if (operation.kind === "subscription") return accepted.eventStream ? "stream" : refuse([notAcceptable()]);
  return runOperation(service, operation, checked.params.variables, caller);
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

/** Maximum length of the operations of a batch in the access log. */
const MAX_LOGGED_CHARS = 300;

function noteOperation(access: AccessNote, { label }: Operation): void {
  const { loggedOperation: others } = access;
  if (!others) access.loggedOperation = label;
  else if (others.length < MAX_LOGGED_CHARS) access.loggedOperation = `${others} ${label}`;
}
