import { performance } from "node:perf_hooks";
import { type ExecutionResult, GraphQLError } from "graphql";
import type { Variables } from "./compile-operation.ts";
import { DEFAULT_LIMITS, type GraphqlLimits } from "./limits.ts";
import { createOperationStore, type Operation, type OperationStore } from "./operation-store.ts";
import type { GraphqlOptions, GraphqlRequest, GraphqlViewer, OperationInfo, Transport } from "./options.ts";
import { publicError, publicRequestError } from "./request-errors.ts";

/** What the lean path, yoga and the WebSocket server share. */
export type GraphqlService<TContext extends object = object, TViewer extends GraphqlViewer = GraphqlViewer> = {
  options: GraphqlOptions<TContext, TViewer>;
  limits: GraphqlLimits;
  store: OperationStore;
};

export function createGraphqlService<TContext extends object, TViewer extends GraphqlViewer>(
  options: GraphqlOptions<TContext, TViewer>,
): GraphqlService<TContext, TViewer> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const { schema, rules = [], introspection = false, suggestions = false } = options;
  return { options, limits, store: createOperationStore({ schema, limits, rules, introspection, suggestions }) };
}

/** The result with its errors masked. */
export function maskResult<TContext extends object, TViewer extends GraphqlViewer>(
  service: GraphqlService<TContext, TViewer>,
  result: ExecutionResult,
  requestId: string,
): ExecutionResult {
  if (!result.errors) return result;
  // Without `data` nothing ran: the variables did not fit, and graphql-js worded it for the caller.
  if (!("data" in result)) return { errors: variableErrors(service, result.errors) };
  const report = service.options.onUnexpectedError;
  return { errors: result.errors.map((error) => publicError(error, requestId, report)), data: result.data };
}

function variableErrors<TContext extends object, TViewer extends GraphqlViewer>(
  service: GraphqlService<TContext, TViewer>,
  errors: readonly GraphQLError[],
): GraphQLError[] {
  return errors.map(({ message: worded, nodes }) => {
    const message = withoutValue(worded);
    const shown = service.options.suggestions ? message : message.replace(/\s*Did you mean [\s\S]*$/, "");
    const http = { status: 400, spec: true };
    return new GraphQLError(shown, { nodes: nodes ?? null, extensions: { code: "BAD_USER_INPUT", http } });
  });
}

/** What was sent stays out of the answer, and so out of logs elsewhere: it may be a secret. graphql-js repeats it. */
function withoutValue(message: string): string {
  const [, name, path = "", reason] =
    /^Variable "(\$\w+)" got invalid value [\s\S]*?( at "[\w.[\]]+")?; ([^;]*)$/.exec(message) ?? [];
  if (name === undefined || reason === undefined) {
    return message.includes(" got invalid value ") ? "A variable does not fit its type." : message;
  }
  const said = reason
    .replace(/( value): [\s\S]*$/, "$1.")
    .replace(/^Value "[\s\S]*" does not exist/, "The value does not exist");
  return `Variable "${name}" got an invalid value${path}; ${said}`;
}

/** Makes the context and runs a query or mutation. Never rejects: what goes wrong is in the result, masked. */
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

/** Tells the hook about one operation; `operation` is null when the request was refused. */
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
