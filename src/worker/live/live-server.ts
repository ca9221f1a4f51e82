/** WebSocket endpoint of the live view, `ws://<worker>/live/<lease>`. Requires the worker's bearer token. */
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
  /** Makes an order's view available under its lease. Returns a function that withdraws it. */
  publish(lease: string, view: LiveView): () => void;
  close(): Promise<void>;
}

const MAX_MESSAGE_BYTES = 4_096;
const MAX_CONNECTIONS = 512;
const MAX_MESSAGES_PER_SECOND = 200;
/** A viewer that does not accept a picture within this time is disconnected. */
const SEND_TIMEOUT_MS = 5_000;
const PATH = /^\/live\/(wjb_\w{1,80})$/;

export async function startLiveServer(options: {
  readonly host: string;
  readonly port: number;
  readonly token: string | readonly string[];
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
    const reject = (status: string) =>
      socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
    if (!isBearer(request, token)) return void reject("401 Unauthorized");
    const view = views.get(PATH.exec(request.url ?? "")?.[1] ?? "");
    if (!view) return void reject("404 Not Found");
    sockets.handleUpgrade(request, socket, head, (connection) => attachViewer(connection, view));
  });
  server.listen(port, host);
  await once(server, "listening");
  const { family, address, port: listeningPort } = server.address() as AddressInfo;
  const hostname = family === "IPv6" ? `[${address}]` : address;
  return {
    url: `http://${hostname === "0.0.0.0" || hostname === "[::]" ? "127.0.0.1" : hostname}:${listeningPort}`,
    publish(lease, view) {
      views.set(lease, view);
      return () => void views.delete(lease);
    },
    async close() {
      for (const connection of sockets.clients) connection.terminate();
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

function attachViewer(connection: WebSocket, view: LiveView): void {
  const viewer = createViewer(connection);
  let messageCount = 0;
  const resetTimer = setInterval(() => {
    messageCount = 0;
  }, 1_000);
  connection.on("error", () => connection.terminate());
  connection.on("close", () => {
    clearInterval(resetTimer);
    view.leave(viewer);
  });
  connection.on("message", (data, isBinary) => {
    messageCount += 1;
    if (isBinary || messageCount > MAX_MESSAGES_PER_SECOND) return connection.terminate();
    const message = InputMessage.safeParse(parse(data));
    if (message.success) view.accept(message.data);
  });
  if (!view.join(viewer)) connection.close(1013);
}

function createViewer(connection: WebSocket): Viewer {
  return {
    async sendPicture(jpeg) {
      if (connection.readyState !== WebSocket.OPEN) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(() => {
        connection.terminate();
        resolve();
      }, SEND_TIMEOUT_MS);
      connection.send(jpeg, { binary: true }, () => resolve());
      await promise;
      clearTimeout(timer);
    },
    message(message: WorkerMessage) {
      if (connection.readyState === WebSocket.OPEN) connection.send(JSON.stringify(message));
    },
    close: () => connection.close(1000),
  };
}

function parse(data: RawData): unknown {
  try {
    return JSON.parse(String(data));
  } catch {
    return null;
  }
}
