import { type ExecutionArgs, type ExecutionResult, GraphQLError } from "graphql";
import { makeServer, type Server } from "graphql-ws";
import { newId } from "../ids.ts";
import { describeCap } from "./connection-caps.ts";
import type { StreamParts } from "./event-stream.ts";
import { limitError } from "./limit-rules.ts";
import { isSingleUse } from "./operation-claim.ts";
import type { Operation } from "./operation-store.ts";
import type { GraphqlRequest, GraphqlViewer } from "./options.ts";
import { formatError, formatResult, publicError, publicRequestError } from "./request-errors.ts";
import { checkParams, type RequestParams } from "./request-params.ts";
import { type GraphqlService, maskResult, report, runOperation } from "./service.ts";
import { openSource, sharingKey } from "./subscribe.ts";
import { closeSocket, createSocketSubscription, endConnection, type WsConnection } from "./ws-connection.ts";

type Pending<TViewer> = {
  id: string;
  operation: Operation;
  params: RequestParams;
  request: GraphqlRequest<TViewer>;
  connection: WsConnection<TViewer>;
};

/** Creates a graphql-ws server (graphql-transport-ws protocol) with this service's authentication, limits and groups. */
export function createWsProtocol<TContext extends object, TViewer extends GraphqlViewer>(
  service: GraphqlService<TContext, TViewer>,
  parts: StreamParts<TViewer>,
): Server<WsConnection<TViewer>> {
  const { options, limits, store } = service;
  // graphql-ws passes the object that onSubscribe returned to execute or subscribe.
  const pending = new WeakMap<ExecutionArgs, Pending<TViewer>>();
  const findPending = (args: ExecutionArgs): Pending<TViewer> => {
    const found = pending.get(args);
    if (!found) throw new Error("The operation was not prepared. It was not executed.");
    return found;
  };

  const subscribe = async (args: ExecutionArgs) => {
    const { id, operation, params, request, connection } = findPending(args);
    const startedMs = performance.now();
    const fail = (result: ExecutionResult): ExecutionResult => {
      if (options.onOperation)
        report(options.onOperation, operation, "ws", startedMs, result.errors?.length ?? 0, request);
      return result;
    };
    try {
      const context = await options.createContext(request);
      const key = sharingKey(service, operation, params.variables, request, context);
      const subscription = createSocketSubscription(connection, id, limits);
      const open = () => openSource(service, operation, params.variables, request, context);
      const joined = await parts.groups.join(key, open, subscription.subscriber);
      if ("refused" in joined) return fail(joined.refused);
      subscription.onLeave(joined.leave);
      if (options.onOperation) report(options.onOperation, operation, "ws", startedMs, 0, request);
      return subscription.iterator;
    } catch (error) {
      return fail({ errors: [publicRequestError(error, request.requestId, options.onUnexpectedError)] });
    }
  };

  return makeServer<Record<string, unknown>, WsConnection<TViewer>>({
    connectionInitWaitTimeout: limits.connectionInitTimeoutMs,
    async onConnect({ connectionParams = {}, extra: connection }) {
      try {
        const viewer = await options.authenticate(connectionParams, connection);
        if (viewer === null) return false;
        if (connection.socket.readyState !== connection.socket.OPEN) return false;
        const refusal = connection.slot.authenticate(options.accountKey?.(viewer));
        if (refusal) {
          closeSocket(connection.socket, 1013, describeCap(refusal), limits.closeTimeoutMs);
          return false;
        }
        connection.viewer = viewer;
        connection.membership = parts.credentials.join(viewer, (reason) =>
          endConnection(connection, reason, limits.closeTimeoutMs),
        );
        if (!connection.membership.isFresh(Date.now())) await connection.membership.refresh();
        return connection.socket.readyState === connection.socket.OPEN;
      } catch (error) {
        publicError(error, "ws", options.onUnexpectedError);
        return false;
      }
    },
    async onSubscribe({ extra: connection, subscriptions, connectionParams }, id, payload) {
      const signal = connection.operations.begin(id, subscriptions);
      if (Object.keys(subscriptions).length > limits.maxSubscriptionsPerConnection) {
        return [limitError("concurrent operations per connection", null, limits.maxSubscriptionsPerConnection)];
      }
      // The credential may have expired since the last periodic check.
      const { membership } = connection;
      if (membership && !membership.isFresh(Date.now())) {
        await membership.refresh();
        if (connection.socket.readyState !== connection.socket.OPEN) return [new GraphQLError("Forbidden")];
      }
      const checked = checkParams(payload, limits);
      if (checked.error) return [checked.error];
      const { operation, errors } = store.prepare(checked.params);
      if (errors) {
        if (options.onOperation) report(options.onOperation, null, "ws", performance.now(), errors.length);
        return errors;
      }
      if (isSingleUse(options.schema, operation)) connection.operations.markSingleUse(id);
      const request: GraphqlRequest<TViewer> = {
        headers: connection.headers,
        ip: connection.ip,
        requestId: newId("req"),
        transport: "ws",
        method: null,
        access: { loggedCaller: null, loggedOperation: operation.label },
        repeatId: id,
        disconnected: () => signal,
        ...(connectionParams ? { connectionParams } : {}),
        ...(connection.viewer ? { viewer: connection.viewer } : {}),
      };
      const args: ExecutionArgs = {
        schema: options.schema,
        document: operation.document,
        operationName: operation.operationName ?? null,
        contextValue: request,
      };
      pending.set(args, { id, operation, params: checked.params, request, connection });
      return args;
    },
    execute(args) {
      const { operation, params, request } = findPending(args);
      return runOperation(service, operation, params.variables, request);
    },
    subscribe,
    onNext: (_context, _id, _payload, _args, result) => formatResult(result as ExecutionResult),
    onError(_context, _id, _payload, errors) {
      const [first] = errors;
      // An error of the source while streaming arrives here unmasked.
      const failed = first?.originalError ? maskResult(service, { data: null, errors }, newId("req")).errors : errors;
      return (failed ?? errors).map(formatError);
    },
  });
}
