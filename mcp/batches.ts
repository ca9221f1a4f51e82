/** Checks of a body's messages before any of them runs: every request of it must get exactly one response. */
import { methodOf } from "./message.ts";

/** As for operations over GraphQL (`src/platform/graphql/limits.ts`). */
export const MAX_MESSAGES = 5;
const CANCELLED = "notifications/cancelled";

/** Identifies a request. Ids of different types are different. */
export type RequestId = unknown;

/** Returns the reason why a body is refused; null if it can run. */
export function findFault(messages: readonly unknown[]): string | null {
  if (messages.length > MAX_MESSAGES) return `A batch has at most ${MAX_MESSAGES} messages. Nothing was done.`;
  const ids = messages.flatMap(readRequestIds).map(formatId);
  const distinct = new Set(ids);
  if (distinct.size < ids.length) return "Each request of a batch needs an id of its own. Nothing was done.";
  // The protocol's server sends no response to a cancelled request, so the stream would not end.
  const cancelled = messages.flatMap(readCancelledIds).map(formatId);
  if (cancelled.some((id) => distinct.has(id))) {
    return "A batch must not cancel a request of its own. Nothing was done.";
  }
  return null;
}

/** Returns the number of messages that need a response. */
export function countRequests(messages: readonly unknown[]): number {
  return messages.flatMap(readRequestIds).length;
}

/** Returns the id of the request that a message cancels; empty for another message. */
export function readCancelledIds(message: unknown): RequestId[] {
  if (methodOf(message) !== CANCELLED) return [];
  const { params } = message as { readonly params?: { readonly requestId?: unknown } | null };
  return params?.requestId === undefined ? [] : [params.requestId];
}

/** Returns the text that is equal for equal ids. */
export function formatId(id: RequestId): string {
  return JSON.stringify(id);
}

function readRequestIds(message: unknown): RequestId[] {
  if (methodOf(message) === undefined) return [];
  const { id } = message as { readonly id?: unknown };
  return id === undefined ? [] : [id];
}
