/** Live views of this process's orders, and the WebSockets of their viewers. */
import type { IncomingMessage } from "node:http";
import { type RawData, WebSocket, WebSocketServer } from "ws";
import { InputMessage, type WorkerMessage } from "../../checkout/worker-protocol/live-messages.ts";
import type { ConnectViewer } from "./live-server.ts";
import type { LiveView, Viewer } from "./live-view.ts";

export interface LiveViews {
  /** Makes an order's view available under its lease. Returns a function that withdraws it. */
  publish(lease: string, view: LiveView): () => void;
  readonly connectViewer: ConnectViewer;
  /** Disconnects all viewers. */
  close(): void;
}

const MAX_MESSAGE_BYTES = 4_096;
const MAX_MESSAGES_PER_SECOND = 200;
/** A viewer that does not accept a picture within this time is disconnected. */
const SEND_TIMEOUT_MS = 5_000;

export function createLiveViews(): LiveViews {
  const views = new Map<string, LiveView>();
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES, perMessageDeflate: false });
  return {
    publish(lease, view) {
      views.set(lease, view);
      return () => void views.delete(lease);
    },
    connectViewer(lease, { request, socket, head }) {
      const view = views.get(lease);
      if (!view) return null;
      // The handshake reads no other part of the request.
      sockets.handleUpgrade(request as IncomingMessage, socket, head, (connection) => attachViewer(connection, view));
      return "connected";
    },
    close() {
      for (const connection of sockets.clients) connection.terminate();
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
