/**
 * `WS /live/<order>/stream?token=`: a checkout as it is driven, for whoever holds a signed address of it. The address alone
 * lets watch; to act takes one made for its owner, and the owner's session in the same browser.
 */
import type { Server as HttpServer, IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { type AuthenticationDeps, authenticate, credentialOf, isStillValid } from "../../accounts/authenticate.ts";
import { type AccountViewer, sessionOf } from "../../accounts/viewer.ts";
import { createConnectionCaps } from "../../platform/graphql/connection-caps.ts";
import { createCredentialRegistry } from "../../platform/graphql/credentials.ts";
import { refuseUpgrade, registerUpgradeHandler } from "../../platform/http/upgrade-handlers.ts";
import { type LiveViewDeps, type LiveViewGrant, verifyLiveViewToken } from "./live-view-url.ts";
import { createRelay, type RelayDeps } from "./relay.ts";
import { MAX_VIEWER_MESSAGE_BYTES, openViewerSocket } from "./viewer-socket.ts";

export interface LiveStreamDeps extends RelayDeps, LiveViewDeps, AuthenticationDeps {
  /** Who a request comes from. */
  readonly clientIp: (request: IncomingMessage) => string;
}

export interface LiveStreams {
  /** Closes what a session opened to act, at once, when it ends. */
  disconnect(sessionId: string): void;
  close(): Promise<void>;
}

const PATH = /^\/live\/(ord_\w{1,80})\/stream$/;
const CAPS = { maxConnections: 2_000, maxConnectionsPerIp: 40, maxConnectionsPerAccount: 8 };
const CHECK_INTERVAL_MS = 15_000;
const PING_INTERVAL_MS = 25_000;

/** Serves the streams on an HTTP server, beside what else it serves. */
export function serveLiveStreams(http: HttpServer, deps: LiveStreamDeps): LiveStreams {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_VIEWER_MESSAGE_BYTES,
    perMessageDeflate: false,
  });
  // Those who watch the same order share its few places; its owner has others, or a link that got about could lock them out.
  const caps = createConnectionCaps(CAPS);
  const sessions = createCredentialRegistry<AccountViewer>({
    isStillValid: (viewer) => isStillValid(deps, viewer),
    credentialKey: ({ credentialId }) => credentialId,
    checkIntervalMs: CHECK_INTERVAL_MS,
    maxAgeMs: CHECK_INTERVAL_MS,
    onError: (error) => deps.logger.error({ err: error }, "the session behind a live view could not be checked"),
  });
  const closers = new Set<() => Promise<void>>();

  const leave = registerUpgradeHandler(http, {
    takes: (path) => PATH.test(path),
    take(request, tcp, head) {
      if (isForeign(deps, request)) return refuseUpgrade(tcp, "403 Forbidden");
      const ip = deps.clientIp(request);
      if (!caps.enter(ip)) return refuseUpgrade(tcp, "429 Too Many Requests");
      tcp.once("close", () => caps.leave(ip));
      sockets.handleUpgrade(request, tcp, head, (socket) => serve(socket, tcp, request));
    },
  });

  function serve(socket: WebSocket, tcp: Duplex, request: IncomingMessage): void {
    const over = new AbortController();
    let act: ReturnType<typeof createRelay>["act"] | null = null;
    const viewer = openViewerSocket(socket, tcp, (word) => act?.(word));
    // ws closes the socket itself (1009 for an oversized message); it needs a listener.
    socket.on("error", () => undefined);
    const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
    const closer = () => {
      viewer.close("stopping");
      return closed;
    };
    closers.add(closer);
    void closed.then(() => {
      over.abort();
      closers.delete(closer);
    });
    keepAlive(socket, over.signal);

    const run = async () => {
      const found = await admit(deps, request);
      if (over.signal.aborted) return;
      if (!found) return viewer.close("refused");
      const { order, grant, owner } = found;
      const places = owner ? `${order.id} owner` : order.id;
      if (!caps.enterAccount(places)) return viewer.close("tooManyViewers");
      over.signal.addEventListener("abort", () => caps.leaveAccount(places));
      const timer = setTimeout(() => viewer.close("expired"), grant.expiresAt.getTime() - Date.now());
      over.signal.addEventListener("abort", () => clearTimeout(timer));
      const relay = createRelay(deps, viewer);
      if (owner) {
        const membership = sessions.join(owner, () => viewer.close("signedOut"));
        over.signal.addEventListener("abort", () => membership.leave());
        act = relay.act;
      }
      viewer.tell({ type: "hello", mayAct: owner !== null });
      await relay.run(order, over.signal);
    };
    run().catch((error: unknown) => {
      deps.logger.error({ err: error }, "a live view failed");
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
  /** Whose session may act; null: it is only watched. */
  readonly owner: AccountViewer | null;
}

/** Null for a token that is none, is over, or is for another order. */
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
  const session = sessionOf(await authenticate(deps, credentialOf(headers, "same-origin", deps.site.isHttps)));
  return { order, grant, owner: session?.accountId === order.accountId ? session : null };
}

/** Browsers let any page open a WebSocket anywhere: only this site's may. Programs send no origin. */
function isForeign({ site }: LiveViewDeps, { headers: { origin, host } }: IncomingMessage): boolean {
  if (origin === undefined) return false;
  if (!URL.canParse(origin)) return true;
  const own = [site.browserUrl(), site.baseUrl()].map((url) => new URL(url).origin);
  return !own.includes(origin) && new URL(origin).host !== host;
}

/** Ends a connection whose other end does not answer any more. */
function keepAlive(socket: WebSocket, over: AbortSignal): void {
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
  over.addEventListener("abort", () => clearInterval(timer));
}
