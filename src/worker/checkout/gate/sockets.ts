/** Routes the WebSockets of an order's pages, so that the gate decides about their messages. */
import type { BrowserContext, WebSocketRoute } from "playwright-core";

/** A message that a page sends. */
export interface SocketMessage {
  readonly url: string;
  readonly text: string;
  /** Identifies messages with the same effect, regardless of the values they carry. */
  readonly kind: string;
  /** Whether such a message was sent before the gate decided. */
  readonly wasSeen: boolean;
}

/** Returns whether a message may leave. */
type DecideMessage = (message: SocketMessage) => Promise<boolean>;

interface SocketRoutes {
  readonly seen: Set<string>;
  decide: DecideMessage | null;
}

const routes = new WeakMap<BrowserContext, SocketRoutes>();
const MAX_SEEN = 1_000;
const MAX_WORDS = 40;

/** Routes all sockets of a context. Call it before a page opens, because pages open their sockets as they load. */
export async function routeSockets(context: BrowserContext): Promise<void> {
  const state: SocketRoutes = { seen: new Set(), decide: null };
  routes.set(context, state);
  await context.routeWebSocket(
    () => true,
    (socket) => forward(socket, state),
  );
}

/** Decides about all messages that pages send from now on. Returns the kinds of messages that were sent before, to be extended. */
export function guardSockets(context: BrowserContext, decide: DecideMessage): Set<string> {
  const state = routes.get(context);
  if (!state) throw new Error("The sockets of the context are not routed.");
  state.decide = decide;
  return state.seen;
}

function forward(socket: WebSocketRoute, state: SocketRoutes): void {
  const server = socket.connectToServer();
  // A decision may wait for the record of the submission; later messages wait for it.
  let previous = Promise.resolve();
  socket.onMessage((message) => {
    const text = typeof message === "string" ? message : message.toString("latin1");
    const kind = kindOf(socket.url(), text);
    const { decide } = state;
    if (decide === null) {
      if (state.seen.size < MAX_SEEN) state.seen.add(kind);
      server.send(message);
      return;
    }
    const wasSeen = state.seen.has(kind);
    previous = previous
      .then(async () => {
        if (await decide({ url: socket.url(), text, kind, wasSeen })) server.send(message);
      })
      .catch(() => {});
  });
}

/** Messages are compared by their names and words, without numbers and values. */
function kindOf(address: string, text: string): string {
  const { origin, pathname } = new URL(address);
  const words = text.match(/"[A-Za-z_:.-]{1,40}"/g) ?? [text.replaceAll(/[^A-Za-z]/g, "").slice(0, 60)];
  return `SOCKET ${origin}${pathname} ${words.slice(0, MAX_WORDS).join("")}`;
}
