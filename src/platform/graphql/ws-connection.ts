import type { IncomingHttpHeaders } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocket } from "ws";
import type { ConnectionSlot } from "./connection-caps.ts";
import type { Membership } from "./credentials.ts";
import type { OperationSignals } from "./disconnected.ts";
import { type EndReason, endingError, STREAM_ENDINGS } from "./stream-endings.ts";
import type { EventPayload, Subscriber } from "./subscription-groups.ts";
import { encodeMessageHead, encodeTextFrame } from "./ws-frame.ts";

/** One open WebSocket and its authenticated client. */
export type WsConnection<TViewer> = {
  socket: WebSocket;
  tcp: Duplex;
  headers: IncomingHttpHeaders;
  ip: string;
  viewer: TViewer | undefined;
  membership: Membership | undefined;
  slot: ConnectionSlot;
  operations: OperationSignals;
  isAlive: boolean;
};

/** Starts the closing handshake. Terminates the connection if the peer does not complete it within `timeoutMs`. */
export function closeSocket(socket: WebSocket, code: number, reason: string, timeoutMs: number): void {
  if (socket.readyState !== WebSocket.OPEN) return;
  socket.close(code, reason);
  const timer = setTimeout(() => socket.terminate(), timeoutMs);
  timer.unref();
  socket.once("close", () => clearTimeout(timer));
}

/**
 * Ends a connection with the close code of the reason. Operations that the client must not send again on its next connection
 * first receive an error. graphql-ws sends all others again, also after 4403.
 */
export function endConnection(
  { socket, operations }: { socket: WebSocket; operations?: OperationSignals },
  reason: EndReason,
  timeoutMs: number,
): void {
  if (socket.readyState !== WebSocket.OPEN) return;
  const { closeCode, closeReason, isRetryable } = STREAM_ENDINGS[reason];
  const payload = [endingError(reason)];
  for (const { id, isSingleUse } of operations?.list() ?? []) {
    if (isSingleUse || !isRetryable) socket.send(JSON.stringify({ id, type: "error", payload }));
  }
  closeSocket(socket, closeCode, closeReason, timeoutMs);
}

/** Returns true if more data may be sent. Ends a connection whose backlog exceeds the limit. */
export function canSend(
  connection: { socket: WebSocket; tcp: Duplex; operations?: OperationSignals },
  limits: { maxBufferedBytes: number; closeTimeoutMs: number },
): boolean {
  if (connection.socket.readyState !== WebSocket.OPEN) return false;
  if (connection.tcp.writableLength <= limits.maxBufferedBytes) return true;
  endConnection(connection, "too_slow", limits.closeTimeoutMs);
  return false;
}

/**
 * Creates a subscriber for a group, and the iterator that graphql-ws requires. Events are written directly to the socket.
 * The iterator therefore yields nothing and ends with the source. graphql-ws calls `return` when the client completes or disconnects.
 */
export function createSocketSubscription<TViewer>(
  connection: WsConnection<TViewer>,
  id: string,
  limits: { maxBufferedBytes: number; closeTimeoutMs: number },
): { subscriber: Subscriber; iterator: AsyncGenerator<never, void>; onLeave(leave: () => void): void } {
  const head = encodeMessageHead(id);
  const ended = Promise.withResolvers<IteratorReturnResult<undefined>>();
  // The source may fail before graphql-ws calls `next`; the rejection must not be unhandled.
  ended.promise.catch(() => undefined);
  let leaveGroup: (() => void) | null = null;
  let hasEnded = false;
  const stop = async () => {
    hasEnded = true;
    leaveGroup?.();
    ended.resolve({ done: true, value: undefined });
    return ended.promise;
  };
  return {
    subscriber: {
      isFresh: (nowMs) => connection.membership?.isFresh(nowMs) ?? true,
      refresh: async () => connection.membership?.refresh(),
      deliver({ json }: EventPayload) {
        if (!hasEnded && canSend(connection, limits)) connection.tcp.write(encodeTextFrame(head, json));
      },
      end(reason, error) {
        hasEnded = true;
        // A draining service ends the connection, so the client subscribes again on another. It must not receive `complete`.
        if (reason !== "completed") return;
        if (error === undefined) ended.resolve({ done: true, value: undefined });
        else ended.reject(error);
      },
    },
    onLeave(leave) {
      leaveGroup = leave;
      if (hasEnded) leave();
    },
    iterator: {
      next: () => ended.promise,
      return: stop,
      throw: stop,
      [Symbol.asyncIterator]() {
        return this;
      },
      [Symbol.asyncDispose]: async () => {
        await stop();
      },
    },
  };
}
