import { performance } from "node:perf_hooks";
import type { ExecutionResult } from "graphql";
import type { Variables } from "./compile-operation.ts";
import { DEFAULT_LIMITS, type GraphqlLimits } from "./limits.ts";
import { claimOperation } from "./operation-claim.ts";
import { createOperationStore, type Operation, type OperationStore } from "./operation-store.ts";
import type { GraphqlOptions, GraphqlRequest, GraphqlViewer, OperationInfo, Transport } from "./options.ts";
import { publicError, publicRequestError } from "./request-errors.ts";
import { createVariableError, findVariableProblems, markInvalidValues } from "./variable-problems.ts";

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
  const report = service.options.onUnexpectedError;
  return { ...result, errors: result.errors.map((error) => publicError(error, requestId, report)) };
}

/** Returns the problems of the variables as a result without data: no resolver ran. */
export function rejectVariables<TContext extends object, TViewer extends GraphqlViewer>(
  { options: { schema, suggestions = false } }: GraphqlService<TContext, TViewer>,
  operation: Operation,
  variables: Variables | null | undefined,
): ExecutionResult {
  return { errors: [createVariableError(findVariableProblems(schema, operation, variables ?? {}, suggestions))] };
}

/** Runs an operation whose variables a scalar rejected. Fields that return problems of the input as data also report these. */
async function runInvalid<TContext extends object, TViewer extends GraphqlViewer>(
  service: GraphqlService<TContext, TViewer>,
  operation: Operation,
  variables: Variables,
  context: TContext,
): Promise<ExecutionResult> {
  const { schema, suggestions = false } = service.options;
  const problems = findVariableProblems(schema, operation, variables, suggestions);
  const marked = markInvalidValues(schema, operation, variables, problems);
  return marked ? await operation.run(marked, context) : { errors: [createVariableError(problems)] };
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
    // Most requests need no claim: an await on the hot path has a measurable cost.
    const isRepeatable = request.repeatId !== undefined;
    const claim = isRepeatable ? await claimOperation(service.options, operation, variables, request, context) : null;
    result = await operation.run(variables ?? {}, context);
    if (result.errors && !("data" in result)) result = await runInvalid(service, operation, variables ?? {}, context);
    result = maskResult(service, result, request.requestId);
    if (claim) await ("data" in result ? claim.complete() : claim.cancel());
  } catch (error) {
    result = { errors: [publicRequestError(error, request.requestId, onUnexpectedError)] };
  }
  if (onOperation) report(onOperation, operation, request.transport, startedMs, result.errors?.length ?? 0, request);
  return result;
}

/** Reports one operation to the hook. `operation` is null if the request was rejected. */
export function report(
  onOperation: (info: OperationInfo) => void,
  operation: Operation | null,
  transport: Transport,
  startedMs: number,
  errorCount: number,
  request: GraphqlRequest<unknown> | null = null,
): void {
  const durationNs = Math.round((performance.now() - startedMs) * 1e6);
  const kind = operation?.kind ?? "invalid";
  onOperation({ operationName: operation?.operationName, kind, transport, durationNs, errorCount, request });
}
