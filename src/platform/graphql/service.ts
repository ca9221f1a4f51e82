import { performance } from "node:perf_hooks";
import { type ExecutionResult, GraphQLError } from "graphql";
import type { Variables } from "./compile-operation.ts";
import { DEFAULT_LIMITS, type GraphqlLimits } from "./limits.ts";
import { createOperationStore, type Operation, type OperationStore } from "./operation-store.ts";
import type { GraphqlOptions, GraphqlRequest, GraphqlViewer, OperationInfo, Transport } from "./options.ts";
import { publicError, publicMessage, publicRequestError } from "./request-errors.ts";

/** State shared by the lean handler, Yoga and the WebSocket server. */
export type GraphqlService<TContext extends object = object, TViewer extends GraphqlViewer = GraphqlViewer> = {
  options: GraphqlOptions<TContext, TViewer>;
  limits: GraphqlLimits;
  store: OperationStore;
};

export function createGraphqlService<TContext extends object, TViewer extends GraphqlViewer>(
  options: GraphqlOptions<TContext, TViewer>,
): GraphqlService<TContext, TViewer> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const { schema, rules = [], introspection = false, suggestions = false, onUnexpectedError } = options;
  const store = createOperationStore({ schema, limits, rules, introspection, suggestions, onUnexpectedError });
  return { options, limits, store };
}

/** Returns the result with masked errors. */
export function maskResult<TContext extends object, TViewer extends GraphqlViewer>(
  service: GraphqlService<TContext, TViewer>,
  result: ExecutionResult,
  requestId: string,
): ExecutionResult {
  if (!result.errors) return result;
  // Without `data` no resolver ran: graphql-js rejected the variables, and its messages are for the caller.
  if (!("data" in result)) return { errors: variableErrors(service, result.errors) };
  const report = service.options.onUnexpectedError;
  return { errors: result.errors.map((error) => publicError(error, requestId, report)), data: result.data };
}

function variableErrors<TContext extends object, TViewer extends GraphqlViewer>(
  service: GraphqlService<TContext, TViewer>,
  errors: readonly GraphQLError[],
): GraphQLError[] {
  return errors.map(({ message: original, nodes }) => {
    const message = publicMessage(withoutValue(original), service.options.suggestions ?? false);
    const http = { status: 400, spec: true };
    return new GraphQLError(message, { nodes: nodes ?? null, extensions: { code: "BAD_USER_INPUT", http } });
  });
}

/** Removes the variable's value, which graphql-js repeats: it may be a secret, and clients may log the response. */
function withoutValue(message: string): string {
  const [, name, path = "", reason] =
    /^Variable "(\$\w+)" got invalid value [\s\S]*?( at "[\w.[\]]+")?; ([^;]*)$/.exec(message) ?? [];
  if (name === undefined || reason === undefined) {
    return message.includes(" got invalid value ") ? "A variable does not match its type." : message;
  }
  const redacted = reason
    .replace(/( value): [\s\S]*$/, "$1.")
    .replace(/^Value "[\s\S]*" does not exist/, "The value does not exist");
  return `Variable "${name}" got an invalid value${path}; ${redacted}`;
}

/** Creates the context and runs a query or mutation. Never rejects: errors are masked and part of the result. */
export async function runOperation<TContext extends object, TViewer extends GraphqlViewer>(
  service: GraphqlService<TContext, TViewer>,
  operation: Operation,
  variables: Variables | null | undefined,
  request: GraphqlRequest<TViewer>,
): Promise<ExecutionResult> {
  const { createContext, onOperation, onUnexpectedError } = service.options;
  const startedMs = onOperation ? performance.now() : 0;
  let result: ExecutionResult;
  try {
    const context = await createContext(request);
    result = await operation.run(variables, context);
    if (result.errors) result = maskResult(service, result, request.requestId);
  } catch (error) {
    result = { errors: [publicRequestError(error, request.requestId, onUnexpectedError)] };
  }
  if (onOperation) report(onOperation, operation, request.transport, startedMs, result.errors?.length ?? 0);
  return result;
}

/** Reports one operation to the hook. `operation` is null if the request was rejected. */
export function report(
  onOperation: (info: OperationInfo) => void,
  operation: Operation | null,
  transport: Transport,
  startedMs: number,
  errorCount: number,
): void {
  const durationNs = Math.round((performance.now() - startedMs) * 1e6);
  const kind = operation?.kind ?? "invalid";
  onOperation({ operationName: operation?.operationName, kind, transport, durationNs, errorCount });
}
