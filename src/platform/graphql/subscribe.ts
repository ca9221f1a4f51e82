import { createSourceEventStream, type DocumentNode, type ExecutionResult, Kind, visit } from "graphql";
import type { Variables } from "./compile-operation.ts";
import { type ActiveClaim, claimOperation } from "./operation-claim.ts";
import { identifyOperation } from "./operation-identity.ts";
import type { Operation } from "./operation-store.ts";
import type { GraphqlRequest, GraphqlViewer } from "./options.ts";
import { formatResult, publicRequestError } from "./request-errors.ts";
import { findRootField, type RootField, readArguments } from "./root-field.ts";
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
  request: GraphqlRequest<TViewer>,
  context: TContext,
): string | null {
  const groupingKey = service.options.groupingKey?.(context);
  // A resumed subscription replays its own events first.
  if (groupingKey === undefined || request.lastEventId !== undefined) return null;
  return isShared(service, operation, variables) ? identifyOperation(groupingKey, operation, variables) : null;
}

function isShared<TContext extends object, TViewer extends GraphqlViewer>(
  { options: { schema } }: GraphqlService<TContext, TViewer>,
  operation: Operation,
  variables: Variables | null | undefined,
): boolean {
  const found = findRootField(schema, operation, "shared");
  const shared = found?.field.extensions["shared"];
  if (!found || typeof shared !== "function") return shared === true;
  const args = readArguments(schema, operation, found, variables);
  return args !== null && shared(args) === true;
}

/** Returns the resumption of the operation's subscription, or null if it has none. */
export function findResumption<TContext extends object, TViewer extends GraphqlViewer>(
  { options: { schema } }: GraphqlService<TContext, TViewer>,
  operation: Operation,
): (RootField & { startCursor(): string }) | null {
  const found = findRootField(schema, operation, "resumable");
  const resumption = found?.field.extensions["resumable"] as { startCursor(): string } | undefined;
  return found && resumption ? { ...found, startCursor: () => resumption.startCursor() } : null;
}

/** Returns the document with `after` of the subscription's field set to a cursor. */
function resumeAfter({ document }: Operation, { node }: RootField, cursor: string): DocumentNode {
  const after = {
    kind: Kind.ARGUMENT,
    name: { kind: Kind.NAME, value: "after" },
    value: { kind: Kind.STRING, value: cursor },
  } as const;
  const others = node.arguments?.filter(({ name }) => name.value !== "after") ?? [];
  return visit(document, {
    Field: (field) => (field === node ? { ...field, arguments: [...others, after] } : undefined),
  });
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
  const claim = await claimOperation(service.options, operation, variables, request, context);
  const resumption = findResumption(service, operation);
  const { lastEventId } = request;
  const opened = await createSourceEventStream({
    schema,
    document: resumption && lastEventId ? resumeAfter(operation, resumption, lastEventId) : operation.document,
    operationName: operation.operationName ?? null,
    variableValues: variables ?? null,
    contextValue: context,
  });
  if (!(Symbol.asyncIterator in opened)) {
    // Errors of the source, which may have moved money, have a path. Errors of the variables have none.
    const isRejected = !opened.errors?.some((error) => error.path);
    await (isRejected ? claim?.cancel() : claim?.complete());
    if (isRejected) return rejectVariables(service, operation, variables);
    return maskResult(service, { data: null, ...opened }, request.requestId);
  }
  return {
    events: claim ? completeAtEnd(opened, claim) : opened,
    cursorOf: (event) => (resumption ? readCursor(event) : null),
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

function readCursor(event: unknown): string | null {
  const cursor = (event as { cursor?: unknown } | null)?.cursor;
  return typeof cursor === "string" ? cursor : null;
}

/** Completes the claim when the source ends or fails, but not if it is stopped before its end. */
function completeAtEnd(source: AsyncIterable<unknown>, claim: ActiveClaim): AsyncIterableIterator<unknown> {
  const events = source[Symbol.asyncIterator]();
  let isStopped = false;
  const end = async () => {
    if (!isStopped) await claim.complete();
  };
  const iterator: AsyncIterableIterator<unknown> = {
    async next() {
      try {
        const next = await events.next();
        if (next.done) await end();
        return next;
      } catch (error) {
        await end();
        throw error;
      }
    },
    async return() {
      isStopped = true;
      await events.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]: () => iterator,
  };
  return iterator;
}
