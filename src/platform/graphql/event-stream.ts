import type { Readable } from "node:stream";
import type { ExecutionResult } from "graphql";
import { type ConnectionCaps, capError } from "./connection-caps.ts";
import type { CredentialRegistry } from "./credentials.ts";
import { createEventStreamBody, END_ID, START_ID } from "./event-stream-body.ts";
import { isSingleUse } from "./operation-claim.ts";
import type { Operation } from "./operation-store.ts";
import type { GraphqlRequest, GraphqlViewer } from "./options.ts";
import { formatError, publicError, publicRequestError } from "./request-errors.ts";
import type { RequestParams } from "./request-params.ts";
import { readArguments } from "./root-field.ts";
import { type GraphqlService, report } from "./service.ts";
import { STREAM_ENDINGS } from "./stream-endings.ts";
import { findResumption, openSource, sharingKey } from "./subscribe.ts";
import type { SubscriptionGroups } from "./subscription-groups.ts";

export type StreamParts<TViewer> = {
  groups: SubscriptionGroups;
  credentials: CredentialRegistry<TViewer>;
  caps: ConnectionCaps;
  /** Resolve when the streams are closed, and remove themselves then. */
  openStreams: Set<Promise<void>>;
};

/** The body of the response; null if the client must not reconnect (status 204, as EventSource requires). */
export type EventStream = { readonly stream: Readable | null };

/** Codes of errors of a source after which the same subscription may succeed. */
const RETRYABLE_CODES: readonly unknown[] = [STREAM_ENDINGS.internal.code, "internal_error"];

/**
 * Opens a subscription as an event stream. It ends with the source, when the credential becomes invalid, when the client is too
 * slow, or when the service is draining.
 *
 * @param terminate closes the connection
 */
export async function openEventStream<TContext extends object, TViewer extends GraphqlViewer>(
  service: GraphqlService<TContext, TViewer>,
  parts: StreamParts<TViewer>,
  operation: Operation,
  params: RequestParams,
  caller: GraphqlRequest<TViewer>,
  terminate: () => void,
): Promise<EventStream | ExecutionResult> {
  const { options, limits } = service;
  const startedMs = performance.now();
  const finish = (result: ExecutionResult): ExecutionResult => {
    if (options.onOperation) report(options.onOperation, operation, "sse", startedMs, result.errors?.length ?? 0);
    return result;
  };
  const lastEventId = readLastEventId(caller);
  const resumption = findResumption(service, operation);
  if (lastEventId === END_ID || (lastEventId !== undefined && !resumption)) return { stream: null };
  const request: GraphqlRequest<TViewer> = {
    ...caller,
    transport: "sse",
    ...(lastEventId === undefined ? {} : { lastEventId }),
  };
  const opened = createEventStreamBody(limits, {
    startId: startIdOf(),
    isSingleUse: isSingleUse(options.schema, operation),
    terminate,
  });
  /** Closes the stream before it is sent. */
  const refuse = (result: ExecutionResult): ExecutionResult => {
    opened.body.destroy();
    return finish(result);
  };
  try {
    const context = await options.createContext(request);
    const viewer = options.viewerOf(context);
    const slot = viewer
      ? parts.caps.enterAuthenticated(request.ip, options.accountKey?.(viewer))
      : parts.caps.enter(request.ip);
    if ("cap" in slot) return refuse({ errors: [capError(slot)] });
    opened.body.once("close", slot.leave);
    const membership = viewer ? parts.credentials.join(viewer, opened.end) : null;
    if (membership) opened.onEnd(membership.leave);
    const joined = await parts.groups.join(
      sharingKey(service, operation, params.variables, request, context),
      () => openSource(service, operation, params.variables, request, context),
      {
        isFresh: (nowMs) => membership?.isFresh(nowMs) ?? true,
        refresh: async () => membership?.refresh(),
        deliver: opened.send,
        end(reason, error) {
          if (error === undefined) return opened.end(reason);
          const masked = formatError(publicError(error, request.requestId, options.onUnexpectedError));
          opened.end(RETRYABLE_CODES.includes(masked.extensions?.["code"]) ? "internal" : reason, masked);
        },
      },
    );
    if ("refused" in joined) return refuse(joined.refused);
    opened.onEnd(joined.leave);
    registerStream(parts.openStreams, request, opened.body);
    finish({});
    return { stream: opened.body };
  } catch (error) {
    return refuse({ errors: [publicRequestError(error, request.requestId, options.onUnexpectedError)] });
  }

  /** Null if the client has the cursor that it resumes from. */
  function startIdOf(): string | null {
    if (!resumption) return START_ID;
    const after = readArguments(options.schema, operation, resumption, params.variables)?.["after"];
    return lastEventId === undefined && typeof after !== "string" ? resumption.startCursor() : null;
  }
}

function readLastEventId<TViewer>({ headers }: GraphqlRequest<TViewer>): string | undefined {
  const id = headers["last-event-id"];
  return typeof id === "string" && id !== "" ? id : undefined;
}

/** Destroys the body when the connection closes, and until then adds it to the open streams. */
function registerStream<TViewer>(
  openStreams: Set<Promise<void>>,
  { disconnected }: GraphqlRequest<TViewer>,
  body: Readable,
): void {
  const signal = disconnected?.();
  if (!signal) return;
  const closed = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  }).then(() => {
    body.destroy();
    openStreams.delete(closed);
  });
  openStreams.add(closed);
}
