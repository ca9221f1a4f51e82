/** Dispatches the WebSocket upgrade requests of an HTTP server by path. Requests without a handler receive 404. */
import type { Server as HttpServer, IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

interface UpgradeHandler {
  /** @param path without the query */
  handlesPath(path: string): boolean;
  handleUpgrade(request: IncomingMessage, tcp: Duplex, head: Buffer): void;
}

const handlersByServer = new WeakMap<HttpServer, Set<UpgradeHandler>>();

/** Registers a handler for the server's upgrade requests. Returns a function that removes it. */
export function registerUpgradeHandler(http: HttpServer, handler: UpgradeHandler): () => void {
  const handlers = handlersByServer.get(http) ?? startDispatch(http);
  handlers.add(handler);
  return () => void handlers.delete(handler);
}

function startDispatch(http: HttpServer): Set<UpgradeHandler> {
  const handlers = new Set<UpgradeHandler>();
  handlersByServer.set(http, handlers);
  http.on("upgrade", (request: IncomingMessage, tcp: Duplex, head: Buffer) => {
    const path = (request.url ?? "").split("?", 1)[0] ?? "";
    const handler = [...handlers].find((one) => one.handlesPath(path));
    if (handler) handler.handleUpgrade(request, tcp, head);
    else refuseUpgrade(tcp, "404 Not Found");
  });
  return handlers;
}

/** Rejects an upgrade request. @param status such as `403 Forbidden` @param reason the body, in ASCII */
export function refuseUpgrade(tcp: Duplex, status: string, reason = ""): void {
  // Without a listener, an error of a disconnected peer would end the process.
  tcp.on("error", () => tcp.destroy());
  tcp.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: ${reason.length}\r\n\r\n${reason}`);
}
