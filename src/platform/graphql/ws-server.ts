import type { Server as HttpServer, IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { handleProtocols } from "graphql-ws";
import { type WebSocket, WebSocketServer } from "ws";
import { refuseUpgrade, registerUpgradeHandler } from "../http/upgrade-handlers.ts";
import { type ConnectionSlot, describeCap } from "./connection-caps.ts";
import { createOperationSignals } from "./disconnected.ts";
import type { StreamParts } from "./event-stream.ts";
import { isDeeperThan } from "./json-depth.ts";
import type { GraphqlViewer } from "./options.ts";
import { publicError } from "./request-errors.ts";
import type { GraphqlService } from "./service.ts";
import { canSend, closeSocket, endConnection, type WsConnection } from "./ws-connection.ts";
import { encodeError, operationIdOf, withQuery } from "./ws-message.ts";
import { createWsProtocol } from "./ws-protocol.ts";

/** Maximum of a close frame's reason (RFC 6455, section 5.5); graphql-ws repeats an operation's id in it. */
const MAX_REASON_BYTES = 123;

/** Accepts WebSockets on `path` of an HTTP server. `close` ends all sockets, because the service is draining. */
export function attachWsServer<TContext extends object, TViewer extends GraphqlViewer>(
  http: HttpServer,
  path: string,
  service: GraphqlService<TContext, TViewer>,
  parts: StreamParts<TViewer>,
): { close(): Promise<void> } {
  const { options, limits } = service;
  const protocol = createWsProtocol(service, parts);
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: limits.maxMessageBytes,
    perMessageDeflate: false,
    handleProtocols: (offered) => handleProtocols(offered),
  });
  const connections = new Set<WsConnection<TViewer>>();

  const checkOrigin = (request: IncomingMessage, tcp: Duplex, head: Buffer) => {
    const origin = foreignOriginOf(request);
    if (origin === null) return accept(request, tcp, head);
    // Without a listener, a connection error during the check would end the process.
    const ignore = () => undefined;
    tcp.on("error", ignore);
    Promise.resolve(options.isOriginAllowed?.(origin) ?? false)
      .catch((error: unknown) => {
        options.onUnexpectedError?.(error, "ws");
        return false;
      })
      .then((isAllowed) => {
        tcp.off("error", ignore);
        if (tcp.destroyed) return;
        if (isAllowed) accept(request, tcp, head);
        else refuseUpgrade(tcp, "403 Forbidden");
      });
  };

  const accept = (request: IncomingMessage, tcp: Duplex, head: Buffer) => {
    const ip = options.clientIp?.(request) ?? request.socket.remoteAddress ?? "";
    const slot = parts.caps.enter(ip);
    if ("cap" in slot) return refuseUpgrade(tcp, "429 Too Many Requests", describeCap(slot));
    tcp.once("close", slot.leave);
    sockets.handleUpgrade(request, tcp, head, (socket) => open(socket, tcp, request, ip, slot));
  };

  const open = (socket: WebSocket, tcp: Duplex, { headers }: IncomingMessage, ip: string, slot: ConnectionSlot) => {
    const connection: WsConnection<TViewer> = {
      socket,
      tcp,
      headers,
      ip,
      viewer: undefined,
      membership: undefined,
      slot,
      operations: createOperationSignals(tcp),
      isAlive: true,
    };
    connections.add(connection);
    // ws closes the socket itself (1009 for an oversized message, 1002 for a malformed one), but requires an error listener.
    socket.on("error", () => undefined);
    socket.on("pong", () => {
      connection.isAlive = true;
    });
    const closed = protocol.opened(
      {
        protocol: socket.protocol,
        send(data) {
          if (canSend(connection, limits)) socket.send(data);
        },
        // The protocol permits a payload, and JSON.stringify throws for one that is nested too deeply.
        async onPing(payload) {
          const echo = payload && !isDeeperThan(limits.maxVariablesDepth, payload) ? { payload } : {};
          if (canSend(connection, limits)) socket.send(JSON.stringify({ type: "pong", ...echo }));
        },
        close: (code = 1000, reason = "") =>
          closeSocket(socket, code, Buffer.byteLength(reason) > MAX_REASON_BYTES ? "" : reason, limits.closeTimeoutMs),
        onMessage(receive) {
          socket.on("message", (data) => {
            const text = String(data);
            // Only the operation of this message has failed. The others of the socket continue.
            receive(withQuery(text)).catch((error: unknown) => {
              const failed = publicError(error, "ws", options.onUnexpectedError);
              const id = operationIdOf(text);
              if (id !== null && canSend(connection, limits)) socket.send(encodeError(id, failed));
            });
            // graphql-ws reports no event when a client completes an operation before its result; it only removes the id.
            connection.operations.update();
          });
        },
      },
      connection,
    );
    socket.once("close", (code, reason) => {
      connections.delete(connection);
      connection.membership?.leave();
      closed(code, String(reason)).catch((error: unknown) => options.onUnexpectedError?.(error, "ws"));
    });
  };

  const ping = setInterval(() => {
    for (const connection of connections) {
      if (!connection.isAlive) {
        connection.socket.terminate();
        continue;
      }
      connection.isAlive = false;
      connection.socket.ping();
    }
  }, limits.pingIntervalMs);
  ping.unref();
  const leave = registerUpgradeHandler(http, {
    handlesPath: (requestedPath) => requestedPath === path,
    handleUpgrade: checkOrigin,
  });

  return {
    async close() {
      leave();
      clearInterval(ping);
      const closing = [...connections].map(
        ({ socket }) => new Promise<void>((resolve) => socket.once("close", () => resolve())),
      );
      for (const connection of connections) endConnection(connection, "draining", limits.closeTimeoutMs);
      await Promise.all(closing);
      sockets.close();
    },
  };
}

/**
 * Returns the origin of a cross-origin WebSocket request with cookies, else null. Browsers send cookies with WebSockets from any
 * page, without a preflight.
 */
function foreignOriginOf({ headers }: IncomingMessage): string | null {
  const { origin, host, cookie } = headers;
  if (!origin || !cookie) return null;
  return URL.canParse(origin) && new URL(origin).host === host ? null : origin;
}
