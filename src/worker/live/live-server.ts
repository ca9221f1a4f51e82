/** WebSocket endpoint of the live view, `ws://<worker>/live/<lease>`. Requires the worker's bearer token. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { isBearer } from "../../platform/http/bearer.ts";
import type { UpgradeRequest } from "../order-messages.ts";
import { rejectUpgrade } from "./reject-upgrade.ts";

export interface LiveServer {
  /** `http://<host>:<port>` */
  readonly url: string;
  /** Stops listening and ends the connections of this process. */
  close(): void;
}

/** An authenticated request for a live view, before its handshake. */
export interface Upgrade {
  readonly request: UpgradeRequest;
  readonly socket: Socket;
  /** Bytes received after the request. */
  readonly head: Buffer;
}

/**
 * Performs the handshake, or passes the socket on to the process that does. Returns null if the lease has no live view; the socket
 * then remains open.
 */
export type ConnectViewer = (lease: string, upgrade: Upgrade) => "connected" | "passed_on" | null;

const MAX_CONNECTIONS = 512;
const PATH = /^\/live\/(wjb_\w{1,80})$/;

export async function startLiveServer(options: {
  readonly host: string;
  readonly port: number;
  readonly token: string | readonly string[];
  readonly connectViewer: ConnectViewer;
}): Promise<LiveServer> {
  const { host, port, token, connectViewer } = options;
  const sockets = new Set<Socket>();
  const server = createServer((_request, response) => response.writeHead(404).end());
  server.maxConnections = MAX_CONNECTIONS;
  server.headersTimeout = 5_000;
  server.requestTimeout = 5_000;
  server.on("upgrade", (request, stream, head) => {
    const socket = stream as Socket;
    sockets.add(socket);
    socket.on("error", () => socket.destroy()).on("close", () => sockets.delete(socket));
    if (!isBearer(request, token)) return rejectUpgrade(socket, "401 Unauthorized");
    const { method = "", url = "", headers } = request;
    const lease = PATH.exec(url)?.[1] ?? "";
    const connected = connectViewer(lease, { request: { method, url, headers }, socket, head });
    if (connected === null) rejectUpgrade(socket, "404 Not Found");
    // The socket is the other process's now, and is closed by it.
    if (connected === "passed_on") sockets.delete(socket);
  });
  server.listen(port, host);
  await once(server, "listening");
  const { family, address, port: listeningPort } = server.address() as AddressInfo;
  const hostname = family === "IPv6" ? `[${address}]` : address;
  return {
    url: `http://${hostname === "0.0.0.0" || hostname === "[::]" ? "127.0.0.1" : hostname}:${listeningPort}`,
    // Not awaited: "close" is never emitted after a socket was passed to another process, as Node still counts it.
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      server.closeAllConnections();
    },
  };
}
