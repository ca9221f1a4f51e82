import { createSourceEventStream, type ExecutionResult, getArgumentValues, getVariableValues, Kind } from "graphql";
import type { Variables } from "./compile-operation.ts";
import type { Operation } from "./operation-store.ts";
import type { GraphqlRequest, GraphqlViewer } from "./options.ts";
import { formatResult, publicRequestError } from "./request-errors.ts";
import { type GraphqlService, maskResult, rejectVariables } from "./service.ts";
import type { EventSource } from "./subscription-groups.ts";

/**
 * Returns the key for sharing the subscription's source, or null if the field's `shared` extension forbids it. Subscriptions
 * with the same grouping key, document, operation and variables have the same key.
 */
export function sharingKey<TContext extends object, TViewer extends GraphqlViewer>(
  service: GraphqlService<TContext, TViewer>,
  operation: Operation,
  variables: Variables | null | undefined,
  context: TContext,
): string | null {
  const groupingKey = service.options.groupingKey?.(context);
  if (groupingKey === undefined || !isShared(service, operation, variables)) return null;
  return JSON.stringify([groupingKey, operation.operationName ?? null, sortMembers(variables ?? {}), operation.query]);
}

function isShared<TContext extends object, TViewer extends GraphqlViewer>(
  service: GraphqlService<TContext, TViewer>,
  { definition }: Operation,
  variables: Variables | null | undefined,
): boolean {
  const { schema } = service.options;
  const [node] = definition.selectionSet.selections;
  if (node?.kind !== Kind.FIELD) return false;
  const field = schema.getSubscriptionType()?.getFields()[node.name.value];
  const shared = field?.extensions["shared"];
  if (!field || typeof shared !== "function") return shared === true;
  const { coerced } = getVariableValues(schema, definition.variableDefinitions ?? [], variables ?? {});
  return coerced !== undefined && shared(getArgumentValues(field, node, coerced)) === true;
}

/** Returns the value with sorted object members, so equal variables have equal JSON. */
function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, member]) => [name, sortMembers(member)]));
}

/** Opens the source of a subscription. Each event is executed with a new context. */
export async function openSource<TContext extends object, TViewer extends GraphqlViewer>(
  service: GraphqlService<TContext, TViewer>,
  operation: Operation,
  variables: Variables | null | undefined,
  request: GraphqlRequest<TViewer>,
  context: TContext,
): Promise<EventSource | ExecutionResult> {
  const { schema, createContext, onUnexpectedError } = service.options;
  const opened = await createSourceEventStream({
    schema,
    document: operation.document,
    operationName: operation.operationName ?? null,
    variableValues: variables ?? null,
    contextValue: context,
  });
  if (!(Symbol.asyncIterator in opened)) {
    // Errors of the source have a path; errors of the variables have none.
    if (!opened.errors?.some((error) => error.path)) return rejectVariables(service, operation, variables);
    return maskResult(service, { data: null, ...opened }, request.requestId);
  }
  return {
    events: opened,
    async execute(event) {
      try {
        const result = await operation.run(variables, await createContext(request), event);
        return formatResult(maskResult(service, result, request.requestId));
      } catch (error) {
        return formatResult({ errors: [publicRequestError(error, request.requestId, onUnexpectedError)] });
      }
    },
  };
}
