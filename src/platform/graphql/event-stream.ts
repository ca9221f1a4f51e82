import type { ExecutionResult } from "graphql";
import type { ConnectionCaps } from "./connection-caps.ts";
import type { CredentialRegistry } from "./credentials.ts";
import { limitError } from "./limit-rules.ts";
import type { Operation } from "./operation-store.ts";
import type { GraphqlRequest, GraphqlViewer } from "./options.ts";
import { publicError, publicRequestError, requestError } from "./request-errors.ts";
import type { RequestParams } from "./request-params.ts";
import { type GraphqlService, report } from "./service.ts";
import { openSource, sharingKey } from "./subscribe.ts";
import type { SubscriptionGroups } from "./subscription-groups.ts";

/** Maximum backlog of a stream; a slower client is disconnected. */
const MAX_WAITING_EVENTS = 1_000;

export type StreamParts<TViewer> = {
  groups: SubscriptionGroups;
  credentials: CredentialRegistry<TViewer>;
  caps: ConnectionCaps;
};

/** Opens the results of a subscription for an event stream. They end with the source, or when the credential becomes invalid. */
export async function openEventStream<TContext extends object, TViewer extends GraphqlViewer>(
  service: GraphqlService<TContext, TViewer>,
  parts: StreamParts<TViewer>,
  operation: Operation,
  params: RequestParams,
  request: GraphqlRequest<TViewer>,
): Promise<AsyncIterableIterator<object> | ExecutionResult> {
  const { options } = service;
  const startedMs = performance.now();
  const finish = (result: ExecutionResult): ExecutionResult => {
    if (options.onOperation) report(options.onOperation, operation, "sse", startedMs, result.errors?.length ?? 0);
    return result;
  };
  if (!parts.caps.enter(request.ip))
    return finish({ errors: [connectionLimitError(service.limits.maxConnectionsPerIp)] });
  const queue = createQueue(() => parts.caps.leave(request.ip));
  try {
    const context = await options.createContext(request);
    const viewer = options.viewerOf(context);
    const account = viewer ? options.accountKey?.(viewer) : undefined;
    if (account !== undefined) {
      if (!parts.caps.enterAccount(account)) {
        queue.end();
        return finish({ errors: [connectionLimitError(service.limits.maxConnectionsPerAccount)] });
      }
      queue.onEnd(() => parts.caps.leaveAccount(account));
    }
    const membership = viewer ? parts.credentials.join(viewer, () => queue.end()) : null;
    if (membership) queue.onEnd(membership.leave);
    const joined = await parts.groups.join(
      sharingKey(service, operation, params.variables, context),
      () => openSource(service, operation, params.variables, request, context),
      {
        isFresh: (nowMs) => membership?.isFresh(nowMs) ?? true,
        refresh: async () => membership?.refresh(),
        deliver: ({ result }) => queue.push(result),
        end(error) {
          const masked = error === undefined ? null : publicError(error, request.requestId, options.onUnexpectedError);
          if (masked) queue.push({ errors: [masked.toJSON()] });
          queue.end();
        },
      },
    );
    if ("refused" in joined) {
      queue.end();
      return finish(joined.refused);
    }
    queue.onEnd(joined.leave);
    finish({});
    return queue.iterator;
  } catch (error) {
    queue.end();
    return finish({ errors: [publicRequestError(error, request.requestId, options.onUnexpectedError)] });
  }
}

function connectionLimitError(limit: number) {
  return requestError(limitError("connections", null, limit).message, "OPERATION_LIMIT_EXCEEDED", 429);
}

function createQueue(onEnd: () => void) {
  const waiting: object[] = [];
  const cleanups = [onEnd];
  let reader: PromiseWithResolvers<IteratorResult<object>> | null = null;
  let hasEnded = false;
  const end = () => {
    if (hasEnded) return;
    hasEnded = true;
    reader?.resolve({ done: true, value: undefined });
    for (const cleanup of cleanups) cleanup();
  };
  const iterator: AsyncIterableIterator<object> = {
    async next() {
      const value = waiting.shift();
      if (value) return { done: false, value };
      if (hasEnded) return { done: true, value: undefined };
      reader = Promise.withResolvers();
      return reader.promise;
    },
    async return() {
      waiting.length = 0;
      end();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
  return {
    iterator,
    end,
    push(value: object) {
      if (hasEnded) return;
      if (reader) {
        reader.resolve({ done: false, value });
        reader = null;
      } else if (waiting.push(value) > MAX_WAITING_EVENTS) end();
    },
    /** Runs `cleanup` when the stream ends, or immediately if it has ended. */
    onEnd(cleanup: () => void) {
      if (hasEnded) cleanup();
      else cleanups.push(cleanup);
    },
  };
}
