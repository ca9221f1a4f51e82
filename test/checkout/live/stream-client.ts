/** A client of a live stream over a plain WebSocket. */
import { once } from "node:events";
import { WebSocket } from "ws";

export interface StreamClient {
  readonly socket: WebSocket;
  /** Received messages, oldest first. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read messages of every shape.
  readonly messages: any[];
  readonly pictures: Buffer[];
  /** Close code and reason, or the HTTP status of a rejected upgrade. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  send(message: object): void;
  /** Resolves once the server has processed all sent messages. The server handles messages in order. */
  waitUntilProcessed(): Promise<void>;
}

/** Returns the WebSocket URL of the stream for a signed live view URL. */
export function streamUrl(baseUrl: string, liveViewUrl: string): string {
  const { pathname, search } = new URL(liveViewUrl);
  return `${baseUrl.replace(/^http/, "ws")}${pathname}/stream${search}`;
}

export function openStreamClient(url: string, headers: Record<string, string> = {}): StreamClient {
  const socket = new WebSocket(url, { headers });
  const messages: unknown[] = [];
  const pictures: Buffer[] = [];
  socket.on("message", (data, isBinary) => {
    if (isBinary) pictures.push(data as Buffer);
    else messages.push(JSON.parse(String(data)));
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on("error", () => undefined);
    socket.on("unexpected-response", (_request, response) => {
      resolve({ code: response.statusCode ?? 0, reason: "" });
      response.destroy();
    });
    socket.on("close", (code, reason) => resolve({ code, reason: String(reason) }));
  });
  return {
    ...{ socket, messages, pictures, closed },
    send: (message) => socket.send(JSON.stringify(message)),
    async waitUntilProcessed() {
      const pong = once(socket, "pong");
      socket.ping();
      await pong;
    },
  };
}
