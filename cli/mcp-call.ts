/** One HTTP request of `satchel mcp`: the requests in its body, and their responses. */
import {
  type Entry,
  formatWithId,
  idKeyOf,
  isMessage,
  isRequest,
  isResponse,
  type Packet,
  parsePacket,
  type RpcError,
  readUnattributedError,
} from "./mcp-messages.ts";

export interface Call {
  readonly packet: Packet;
  /** Requests without a response, by the key of their id. */
  readonly unanswered: Map<string, Entry>;
  readonly abort: AbortController;
  /** The service's error that names no request. */
  refusal: RpcError | null;
  /** The revision in the response to `initialize`. */
  negotiated: string | null;
}

export function createCall(packet: Packet): Call {
  const requests = packet.entries.filter(({ message }) => isRequest(message));
  return {
    packet,
    unanswered: new Map(requests.map((request) => [idKeyOf(request.message.id), request])),
    abort: new AbortController(),
    refusal: null,
    negotiated: null,
  };
}

/** Records the responses in a received text and returns the texts to forward: itself if the client can attribute all of it. */
export function receive(call: Call, text: string): string[] {
  // A page of a proxy and an event that was cut off are no messages.
  const entries = parsePacket(text)?.entries ?? [];
  const forwarded = entries.flatMap((entry) => {
    if (!isMessage(entry.message)) return [];
    if (!isResponse(entry.message)) return [entry];
    const request = attribute(call, entry);
    // The service rounds large ids.
    return request ? [{ ...entry, idText: request.idText }] : [];
  });
  const isUnchanged =
    forwarded.length === entries.length && forwarded.every(({ idText }, index) => idText === entries[index]?.idText);
  if (isUnchanged) return forwarded.length > 0 ? [text] : [];
  return forwarded.map(({ message, idText }) => formatWithId(message, idText));
}

/** Returns the request of a response. Returns null if it belongs to none, which the client could mistake for another call's. */
function attribute(call: Call, { message }: Entry): Entry | null {
  const key = idKeyOf(message.id);
  const request = call.unanswered.get(key);
  call.refusal = readUnattributedError(message) ?? call.refusal;
  if (!request) return null;
  call.unanswered.delete(key);
  const version = request.message.method === "initialize" ? message.result?.protocolVersion : undefined;
  if (typeof version === "string") call.negotiated = version;
  return request;
}

/** Cancels a request. The HTTP request ends when no other request in it awaits a response. */
export function cancelRequest(calls: Iterable<Call>, requestId: unknown): void {
  for (const call of calls) {
    if (call.unanswered.delete(idKeyOf(requestId)) && call.unanswered.size === 0) call.abort.abort();
  }
}
