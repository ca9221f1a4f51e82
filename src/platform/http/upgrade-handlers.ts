/** WebSockets of one HTTP server: each path's go to whoever takes them, and what nobody takes is answered 404. */
import type { Server as HttpServer, IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

interface UpgradeHandler {
  /** @param path without its query */
  takes(path: string): boolean;
  take(request: IncomingMessage, tcp: Duplex, head: Buffer): void;
}

const takersOf = new WeakMap<HttpServer, Set<UpgradeHandler>>();

/** Hands the server's WebSockets of some paths to `taker`, until what this answers is called. */
export function registerUpgradeHandler(http: HttpServer, taker: UpgradeHandler): () => void {
  const takers = takersOf.get(http) ?? begin(http);
  takers.add(taker);
  return () => void takers.delete(taker);
}

function begin(http: HttpServer): Set<UpgradeHandler> {
  const takers = new Set<UpgradeHandler>();
  takersOf.set(http, takers);
  http.on("upgrade", (request: IncomingMessage, tcp: Duplex, head: Buffer) => {
    const path = (request.url ?? "").split("?", 1)[0] ?? "";
    const taker = [...takers].find((one) => one.takes(path));
    if (taker) taker.take(request, tcp, head);
    else refuseUpgrade(tcp, "404 Not Found");
  });
  return takers;
}

/** Answers an upgrade with no WebSocket. @param status such as `403 Forbidden` */
export function refuseUpgrade(tcp: Duplex, status: string): void {
  // A peer that hung up already must not end the process.
  tcp.on("error", () => tcp.destroy());
  tcp.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
