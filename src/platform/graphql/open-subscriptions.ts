import type { ExecutionResult } from "graphql";
import { capError } from "./connection-caps.ts";
import type { StreamParts } from "./event-stream.ts";
import type { GraphqlRequest, GraphqlViewer } from "./options.ts";
import type { GraphqlService } from "./service.ts";
import type { EndReason } from "./stream-endings.ts";
import { openSource, sharingKey } from "./subscribe.ts";

export type SubscriptionListener = {
  /** Receives the result of each event, and the index of its document. */
  onResult(result: ExecutionResult, index: number): void;
  /** Called once when the subscriptions end, but not after `close`. */
  onEnd(reason: EndReason): void;
};

export type OpenSubscriptions = { close(): void };

/**
 * Opens subscriptions for a stream of another protocol, such as MCP. They count as one connection, and all end together, for the same
 * reasons as an event stream.
 *
 * @returns the subscriptions, or the result of the first that was refused
 * @throws {UnauthorizedError} for a credential that is not accepted here
 */
export async function openSubscriptions<TContext extends object, TViewer extends GraphqlViewer>(
  service: GraphqlService<TContext, TViewer>,
  parts: Pick<StreamParts<TViewer>, "groups" | "credentials" | "caps">,
  documents: readonly string[],
  request: GraphqlRequest<TViewer>,
  { onResult, onEnd }: SubscriptionListener,
): Promise<OpenSubscriptions | { refused: ExecutionResult }> {
  const { options } = service;
  const context = await options.createContext(request);
  const viewer = options.viewerOf(context);
  const slot = viewer
    ? parts.caps.enterAuthenticated(request.ip, options.accountKey?.(viewer))
    : parts.caps.enter(request.ip);
  if ("cap" in slot) return { refused: { errors: [capError(slot)] } };
  const cleanups = [slot.leave];
  let hasEnded = false;
  const close = () => {
    hasEnded = true;
    for (const cleanup of cleanups.splice(0)) cleanup();
  };
  const end = (reason: EndReason) => {
    if (hasEnded) return;
    close();
    onEnd(reason);
  };
  const membership = viewer ? parts.credentials.join(viewer, end) : null;
  if (membership) cleanups.push(membership.leave);
  try {
    for (const [index, query] of documents.entries()) {
      const { operation, errors } = service.store.prepare({ query, operationName: null, sha256Hash: null });
      if (errors) throw errors[0];
      const joined = await parts.groups.join(
        sharingKey(service, operation, null, request, context),
        () => openSource(service, operation, null, request, context),
        {
          isFresh: (nowMs) => membership?.isFresh(nowMs) ?? true,
          refresh: async () => membership?.refresh(),
          deliver({ json }) {
            if (!hasEnded) onResult(JSON.parse(json.toString()), index);
          },
          end: (reason, error) => end(error === undefined ? reason : "internal"),
        },
      );
      if ("refused" in joined) {
        close();
        return joined;
      }
      if (hasEnded) joined.leave();
      else cleanups.push(joined.leave);
    }
  } catch (error) {
    close();
    throw error;
  }
  return { close };
}
