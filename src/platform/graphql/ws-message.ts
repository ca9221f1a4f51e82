import type { GraphQLError } from "graphql";
import { formatError } from "./request-errors.ts";

type Message = { id?: unknown; type?: unknown; payload?: { query?: unknown } | null };

/** Returns the message with an empty `query` if it has only the hash of its document. graphql-ws requires the member. */
export function withQuery(text: string): string {
  if (!text.includes('"persistedQuery"')) return text;
  try {
    const message: Message = JSON.parse(text);
    if (message.type !== "subscribe" || !message.payload || message.payload.query != null) return text;
    return JSON.stringify({ ...message, payload: { ...message.payload, query: "" } });
  } catch {
    // JSON.stringify throws for deep nesting. graphql-ws rejects the message.
    return text;
  }
}

/** Returns the id of the operation that a valid message starts; null for another message. */
export function operationIdOf(text: string): string | null {
  const { type, id }: Message = JSON.parse(text);
  return type === "subscribe" && typeof id === "string" ? id : null;
}

/** Encodes an `error` message (graphql-transport-ws), which ends an operation. */
export function encodeError(id: string, error: GraphQLError): string {
  return JSON.stringify({ id, type: "error", payload: [formatError(error)] });
}
