/** The live server of a worker, for tests of the relayed stream. */
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";

export interface LiveWorker {
  readonly url: string;
  /** Lease path and authorization of each upgrade request. */
  readonly upgradeRequests: { readonly path: string; readonly authorization: string | undefined }[];
  /** Messages received from clients, as text. */
  readonly receivedMessages: string[];
  /** Number of connections opened so far. */
  readonly connectionCount: number;
  /** Open connections. */
  readonly connections: ReadonlySet<WebSocket>;
  /** Sends a message to all open connections and to later ones. */
  sendMessage(message: object): void;
  sendPicture(jpeg: Buffer): void;
  stop(): Promise<void>;
}

/** Creates a numbered picture; 1 KiB by default. */
export function createPicture(number: number, bytes = 1_024): Buffer {
  const jpeg = Buffer.alloc(bytes);
  jpeg.set([0xff, 0xd8, 0xff, 0xe0]);
  jpeg.writeUInt32BE(number, 4);
  return jpeg;
}

export const readPictureNumber = (jpeg: Buffer) => jpeg.readUInt32BE(4);

/** @param options.token accepted bearer token; any other is rejected with 401 */
export async function startLiveWorker({ token, port = 0 }: { token: string; port?: number }): Promise<LiveWorker> {
  const upgradeRequests: LiveWorker["upgradeRequests"] = [];
  const receivedMessages: string[] = [];
  const sentMessages: string[] = [];
  const openSockets = new Set<WebSocket>();
  let openedCount = 0;
  const http = createServer();
  const sockets = new WebSocketServer({
    server: http,
    verifyClient: ({ req }: { req: IncomingMessage }) => {
      const { authorization } = req.headers;
      upgradeRequests.push({ path: req.url ?? "", authorization });
      return authorization === `Bearer ${token}`;
    },
  });
  sockets.on("connection", (socket) => {
    openedCount += 1;
    openSockets.add(socket);
    socket.on("close", () => openSockets.delete(socket));
    socket.on("message", (data) => receivedMessages.push(String(data)));
    for (const message of sentMessages) socket.send(message);
  });
  http.listen(port, "127.0.0.1");
  await once(http, "listening");
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    upgradeRequests,
    receivedMessages,
    connections: openSockets,
    get connectionCount() {
      return openedCount;
    },
    sendMessage(message) {
      sentMessages.push(JSON.stringify(message));
      for (const socket of openSockets) socket.send(JSON.stringify(message));
    },
    sendPicture(jpeg) {
      for (const socket of openSockets) socket.send(jpeg);
    },
    async stop() {
      for (const socket of openSockets) socket.terminate();
      sockets.close();
      http.close();
      await once(http, "close");
    },
  };
}
