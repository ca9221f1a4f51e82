/** Where the service comes to watch: `ws://<worker>/live/<lease>`, for the bearer of the worker's token alone. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type RawData, WebSocket, WebSocketServer } from "ws";
import { InputMessage, type WorkerMessage } from "../../checkout/worker-protocol/live-messages.ts";
import { isBearer } from "../../platform/http/bearer.ts";
import type { LiveView, Viewer } from "./live-view.ts";

export interface LiveServer {
  /** `http://<host>:<port>` */
  readonly url: string;
  /** Lets it be watched under its lease, until it is taken back. */
  offer(lease: string, view: LiveView): () => void;
  close(): Promise<void>;
}

const MAX_MESSAGE_BYTES = 4_096;
const MAX_CONNECTIONS = 512;
const MAX_WORDS_PER_SECOND = 200;
/** Who takes no picture for so long is gone. */
const STUCK_MS = 5_000;
const PATH = /^\/live\/(wjb_\w{1,80})$/;

export async function startLiveServer(options: {
  readonly host: string;
  readonly port: number;
  readonly token: string;
}): Promise<LiveServer> {
  const { host, port, token } = options;
  const views = new Map<string, LiveView>();
  const server = createServer((_request, response) => response.writeHead(404).end());
  server.maxConnections = MAX_CONNECTIONS;
  server.headersTimeout = 5_000;
  server.requestTimeout = 5_000;
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES, perMessageDeflate: false });
  server.on("upgrade", (request, socket, head) => {
    socket.on("error", () => socket.destroy());
    const refuse = (status: string) =>
      socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
    if (!isBearer(request, token)) return void refuse("401 Unauthorized");
    const view = views.get(PATH.exec(request.url ?? "")?.[1] ?? "");
    if (!view) return void refuse("404 Not Found");
    sockets.handleUpgrade(request, socket, head, (line) => watch(line, view));
  });
  server.listen(port, host);
  await once(server, "listening");
  const { family, address, port: listeningPort } = server.address() as AddressInfo;
  const named = family === "IPv6" ? `[${address}]` : address;
  return {
    url: `http://${named === "0.0.0.0" || named === "[::]" ? "127.0.0.1" : named}:${listeningPort}`,
    offer(lease, view) {
      views.set(lease, view);
      return () => void views.delete(lease);
    },
    async close() {
      for (const line of sockets.clients) line.terminate();
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

function watch(line: WebSocket, view: LiveView): void {
  const viewer = viewerOn(line);
  let words = 0;
  const counting = setInterval(() => {
    words = 0;
  }, 1_000);
  line.on("error", () => line.terminate());
  line.on("close", () => {
    clearInterval(counting);
    view.leave(viewer);
  });
  line.on("message", (data, isBinary) => {
    words += 1;
    if (isBinary || words > MAX_WORDS_PER_SECOND) return line.terminate();
    const word = InputMessage.safeParse(parse(data));
    if (word.success) view.accept(word.data);
  });
  if (!view.join(viewer)) line.close(1013);
}

function viewerOn(line: WebSocket): Viewer {
  return {
    async picture(jpeg) {
      if (line.readyState !== WebSocket.OPEN) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const stuck = setTimeout(() => {
        line.terminate();
        resolve();
      }, STUCK_MS);
      line.send(jpeg, { binary: true }, () => resolve());
      await promise;
      clearTimeout(stuck);
    },
    word(word: WorkerMessage) {
      if (line.readyState === WebSocket.OPEN) line.send(JSON.stringify(word));
    },
    close: () => line.close(1000),
  };
}

function parse(data: RawData): unknown {
  try {
    return JSON.parse(String(data));
  } catch {
    return null;
  }
}
