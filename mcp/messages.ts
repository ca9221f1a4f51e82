/** JSON-RPC messages of one body: a message, or a batch of revision 2025-03-26. They are not yet validated. */

/** Messages of a batch, as in a batch of GraphQL operations. */
const MAX_MESSAGES = 5;
const CANCELLED = "notifications/cancelled";

interface Message {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: { readonly requestId?: unknown } | null;
}

export function methodOf(message: unknown): unknown {
  return (message as Message | null | undefined)?.method;
}

export function toMessages(body: unknown): readonly unknown[] {
  return Array.isArray(body) ? body : [body];
}

/** Returns the ids of the requests. */
export function requestIdsOf(messages: readonly unknown[]): readonly unknown[] {
  return messages.flatMap((message) => {
    const { id } = (message ?? {}) as Message;
    return typeof methodOf(message) === "string" && id !== undefined && id !== null ? [id] : [];
  });
}

/** Returns the ids of the requests that the messages cancel. */
export function cancelledIdsOf(messages: readonly unknown[]): readonly unknown[] {
  return messages.flatMap((message) =>
    methodOf(message) === CANCELLED ? [(message as Message).params?.requestId] : [],
  );
}

/** Returns why no message of the body is processed; null if the SDK may process them. */
export function findFault(messages: readonly unknown[]): string | null {
  if (messages.length > MAX_MESSAGES) return `A batch has at most ${MAX_MESSAGES} messages.`;
  const ids = requestIdsOf(messages);
  // The SDK ends the exchange after the first response to an id, although the other call runs.
  if (new Set(ids).size < ids.length) return "Each request of a batch must have its own id.";
  if (cancelledIdsOf(messages).some((id) => ids.includes(id))) return "A batch must not cancel its own requests.";
  return null;
}
