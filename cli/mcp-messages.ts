/** JSON-RPC messages of the Model Context Protocol, as the bridge between standard input and HTTP reads them. */

export interface Message {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: { readonly [name: string]: unknown; readonly _meta?: Readonly<Record<string, unknown>> };
  readonly result?: { readonly protocolVersion?: unknown } | null;
  readonly error?: { readonly code?: unknown; readonly message?: unknown; readonly data?: unknown } | null;
}

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** A line or a response: one message, or a batch of revision 2025-03-26. */
export interface Packet {
  readonly isBatch: boolean;
  readonly entries: readonly Entry[];
}

export interface Entry {
  readonly message: Message;
  /** The id as JSON. It has all digits of a number that JavaScript would round. `null` if it is neither text nor a number. */
  readonly idText: string;
}

const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";

/** Returns the messages of a JSON text; null if it is neither an object nor an array. */
export function parsePacket(text: string): Packet | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null) return null;
    const isBatch = Array.isArray(value);
    const messages = isBatch ? toMessages(value) : [value as Message];
    const exact = messages.some(({ id }) => isRounded(id)) ? [parseWithExactIds(text)].flat() : [];
    const entries = messages.map((message, index) => ({
      message,
      idText: isRounded(message.id) ? String(exact[index]?.id) : idKeyOf(message.id),
    }));
    return { isBatch, entries };
  } catch {
    return null;
  }
}

/** An empty batch and an element that is no object are invalid requests, whose error has the id null. */
function toMessages(batch: readonly unknown[]): readonly Message[] {
  if (batch.length === 0) return [{ id: null }];
  return batch.map((element) => (typeof element === "object" && element !== null ? element : { id: null }));
}

function isRounded(id: unknown): boolean {
  return typeof id === "number" && !Number.isSafeInteger(id);
}

function parseWithExactIds(text: string): readonly Message[] | Message {
  return JSON.parse(text, (key, value: unknown, context?: { readonly source?: string }) =>
    key === "id" && isRounded(value) ? context?.source : value,
  );
}

/** Returns the key by which a response matches its request. The type counts: 1 and "1" are different ids. */
export function idKeyOf(id: unknown): string {
  return typeof id === "string" || typeof id === "number" ? JSON.stringify(id) : "null";
}

export function isRequest(message: Message): boolean {
  return message.id !== undefined && !isResponse(message);
}

/** Whether a client can read the message. */
export function isMessage(message: Message): boolean {
  return message.jsonrpc === "2.0" && (typeof message.method === "string" || isResponse(message));
}

export function isResponse({ method, result, error }: Message): boolean {
  return method === undefined && (result !== undefined || error !== undefined);
}

/** Returns the error of a response that names no request; null for other messages. */
export function readUnattributedError({ id, error }: Message): RpcError | null {
  if (idKeyOf(id) !== "null" || typeof error?.code !== "number" || typeof error.message !== "string") return null;
  return error as RpcError;
}

/** Serialises a message with this id. */
export function formatWithId({ id: _, ...rest }: Message, idText: string): string {
  return `{"id":${idText},${JSON.stringify(rest).slice(1)}`;
}

/**
 * Returns the headers that must match the body. From revision 2026-07-28 on, each message states its revision. Before, it is the
 * one of `initialize`. A value that no header can have is left out, and the service refuses the message.
 */
export function headersOf({ isBatch, entries }: Packet, negotiated: string | null): Record<string, string> {
  const { method, params } = entries[0]?.message ?? {};
  const stated = isBatch ? undefined : params?._meta?.[VERSION_KEY];
  const isModern = typeof stated === "string";
  const headers = {
    "mcp-protocol-version": isModern ? stated : negotiated,
    "mcp-method": isModern ? method : undefined,
    "mcp-name": isModern ? (params?.["name"] ?? params?.["uri"]) : undefined,
  };
  return Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => isHeaderValue(entry[1])),
  );
}

function isHeaderValue(value: unknown): boolean {
  return typeof value === "string" && /^[\x21-\x7e]+$/.test(value);
}
