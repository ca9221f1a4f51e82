/**
 * `WS /live/<order>/stream?token=`: live view of a checkout for the holder of a signed URL. The URL alone permits watching.
 * Acting also requires a URL issued with `mayAct` and the account owner's session in the same browser.
 */
import type { Server as HttpServer, IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { type AuthenticationDeps, authenticate, isStillValid, readCredential } from "../../accounts/authenticate.ts";
import { type AccountViewer, asSession } from "../../accounts/viewer.ts";
import { type ConnectionSlot, createConnectionCaps } from "../../platform/graphql/connection-caps.ts";
import { createCredentialRegistry } from "../../platform/graphql/credentials.ts";
import { refuseUpgrade, registerUpgradeHandler } from "../../platform/http/upgrade-handlers.ts";
import { type LiveViewDeps, type LiveViewGrant, verifyLiveViewToken } from "./live-view-url.ts";
import { createRelay, type RelayDeps } from "./relay.ts";
import { MAX_VIEWER_MESSAGE_BYTES, openViewerSocket } from "./viewer-socket.ts";

export interface LiveStreamDeps extends RelayDeps, LiveViewDeps, AuthenticationDeps {
  /** Returns the client IP address of a request. */
  readonly clientIp: (request: IncomingMessage) => string;
}

export interface LiveStreams {
  /** Closes all connections that may act under a session that has ended. */
  disconnect(sessionId: string): void;
  close(): Promise<void>;
}

const PATH = /^\/live\/(ord_\w{1,80})\/stream$/;
/** A group of viewers counts as an account. */
const CAPS = {
  maxConnections: 2_000,
  maxConnectionsPerIp: 400,
  maxConnectionsPerAccount: 8,
  maxUnauthenticatedPerIp: 40,
};
const CHECK_INTERVAL_MS = 15_000;
const PING_INTERVAL_MS = 25_000;

/** Serves live streams on an HTTP server that may have other upgrade handlers. */
export function serveLiveStreams(http: HttpServer, deps: LiveStreamDeps): LiveStreams {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_VIEWER_MESSAGE_BYTES,
    perMessageDeflate: false,
  });
  // Viewers of an order share one connection limit. The owner has a separate one, so a leaked URL cannot lock the owner out.
  const caps = createConnectionCaps(CAPS);
  const sessions = createCredentialRegistry<AccountViewer>({
    isStillValid: (viewer) => isStillValid(deps, viewer),
    credentialKey: ({ credentialId }) => credentialId,
    checkIntervalMs: CHECK_INTERVAL_MS,
    maxAgeMs: CHECK_INTERVAL_MS,
    onError: (error) => deps.logger.error({ err: error }, "Session check for a live view failed"),
  });
  const closers = new Set<() => Promise<void>>();

  const leave = registerUpgradeHandler(http, {
    handlesPath: (path) => PATH.test(path),
    handleUpgrade(request, tcp, head) {
      if (isCrossSite(deps, request)) return refuseUpgrade(tcp, "403 Forbidden");
      const ip = deps.clientIp(request);
      const slot = caps.enter(ip);
      if ("cap" in slot) return refuseUpgrade(tcp, "429 Too Many Requests");
      tcp.once("close", slot.leave);
      sockets.handleUpgrade(request, tcp, head, (socket) => serve(socket, tcp, request, slot));
    },
  });

  function serve(socket: WebSocket, tcp: Duplex, request: IncomingMessage, slot: ConnectionSlot): void {
    const ended = new AbortController();
    let act: ReturnType<typeof createRelay>["act"] | null = null;
    const viewer = openViewerSocket(socket, tcp, (word) => act?.(word));
    // `ws` closes the socket on errors (1009 for an oversized message) but requires a listener.
    socket.on("error", () => undefined);
    const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
    const closer = () => {
      viewer.close("stopping");
      return closed;
    };
    closers.add(closer);
    void closed.then(() => {
      ended.abort();
      closers.delete(closer);
    });
    keepAlive(socket, ended.signal);

    const run = async () => {
      const admitted = await admit(deps, request);
      if (ended.signal.aborted) return;
      if (!admitted) return viewer.close("refused");
      const { order, grant, owner } = admitted;
      const viewerGroup = owner ? `${order.id} owner` : order.id;
      if (slot.authenticate(viewerGroup)) return viewer.close("tooManyViewers");
      const timer = setTimeout(() => viewer.close("expired"), grant.expiresAt.getTime() - Date.now());
      ended.signal.addEventListener("abort", () => clearTimeout(timer));
      const relay = createRelay(deps, viewer);
      if (owner) {
        const membership = sessions.join(owner, () => viewer.close("signedOut"));
        ended.signal.addEventListener("abort", () => membership.leave());
        act = relay.act;
      }
      viewer.send({ type: "hello", mayAct: owner !== null });
      await relay.run(order, ended.signal);
    };
    run().catch((error: unknown) => {
      deps.logger.error({ err: error }, "Live view failed");
      viewer.close("failed");
    });
  }

  return {
    disconnect: (sessionId) => sessions.disconnect(sessionId),
    async close() {
      leave();
      sessions.stop();
      await Promise.all([...closers].map((close) => close()));
      sockets.close();
    },
  };
}

interface Admitted {
  readonly order: { readonly id: string; readonly accountId: string };
  readonly grant: LiveViewGrant;
  /** Session that may act; null for viewing only. */
  readonly owner: AccountViewer | null;
}

/** Authorises a connection. Returns null if the token is invalid, expired, or for another order. */
async function admit(deps: LiveStreamDeps, { url = "", headers }: IncomingMessage): Promise<Admitted | null> {
  const [path = "", query] = url.split("?", 2);
  const grant = await verifyLiveViewToken(deps, new URLSearchParams(query).get("token") ?? "");
  if (!grant || grant.orderId !== PATH.exec(path)?.[1]) return null;
  const order = await deps.db.prisma.checkoutOrder.findUnique({
    where: { id: grant.orderId },
    select: { id: true, accountId: true },
  });
  if (!order) return null;
  if (!grant.mayAct) return { order, grant, owner: null };
  const session = asSession(await authenticate(deps, readCredential(headers, "same-origin", deps.site.isHttps)));
  return { order, grant, owner: session?.accountId === order.accountId ? session : null };
}

/**
 * Reports whether the request comes from a page of another site. Browsers do not apply the same-origin policy to
 * WebSockets. Clients other than browsers send no origin.
 */
function isCrossSite({ site }: LiveViewDeps, { headers: { origin, host } }: IncomingMessage): boolean {
  if (origin === undefined) return false;
  if (!URL.canParse(origin)) return true;
  const own = [site.browserUrl(), site.baseUrl()].map((url) => new URL(url).origin);
  return !own.includes(origin) && new URL(origin).host !== host;
}

/** Terminates a connection whose peer no longer responds to pings. */
function keepAlive(socket: WebSocket, ended: AbortSignal): void {
  let isAlive = true;
  socket.on("pong", () => {
    isAlive = true;
  });
  const timer = setInterval(() => {
    if (!isAlive) return socket.terminate();
    isAlive = false;
    socket.ping();
  }, PING_INTERVAL_MS);
  timer.unref();
  ended.addEventListener("abort", () => clearInterval(timer));
}
