/** Somebody who watches a checkout, over a bare WebSocket. */
import { once } from "node:events";
import { WebSocket } from "ws";

export interface Watcher {
  readonly socket: WebSocket;
  /** What it was told, oldest first. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read words of every shape.
  readonly words: any[];
  readonly pictures: Buffer[];
  /** The code and reason it was closed with; or the status it was refused with. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  send(word: object): void;
  /** Resolves once all that was sent has been dealt with: messages are answered in their order. */
  handled(): Promise<void>;
}

/** The stream of a signed address. */
export function streamUrl(baseUrl: string, liveViewUrl: string): string {
  const { pathname, search } = new URL(liveViewUrl);
  return `${baseUrl.replace(/^http/, "ws")}${pathname}/stream${search}`;
}

export function watch(url: string, headers: Record<string, string> = {}): Watcher {
  const socket = new WebSocket(url, { headers });
  const words: unknown[] = [];
  const pictures: Buffer[] = [];
  socket.on("message", (data, isBinary) => {
    if (isBinary) pictures.push(data as Buffer);
    else words.push(JSON.parse(String(data)));
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
    ...{ socket, words, pictures, closed },
    send: (word) => socket.send(JSON.stringify(word)),
    async handled() {
      const answered = once(socket, "pong");
      socket.ping();
      await answered;
    },
  };
}
