/** A TCP proxy before a server, which can lose all connections. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface TcpProxy {
  /** Returns the URL with the proxy's address in place of the server's. */
  through(url: string): string;
  /** Ends all connections and refuses new ones. */
  cut(): Promise<void>;
  restore(): Promise<void>;
  /** Stops to forward bytes, without closing a connection. New connections are accepted, and hang too. */
  hang(): void;
  /** Ends `hang`. Connections that were open meanwhile remain silent. */
  resume(): void;
}

/** @param url of the server, such as `postgresql://127.0.0.1:5432/` */
export async function openTcpProxy(url: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let isHanging = false;
  const accept = (client: Socket) => {
    const upstream = connect(Number(port), hostname);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      one
        .on("error", () => {})
        .on("close", () => {
          sockets.delete(one);
          other.destroy();
        });
      if (!isHanging) one.pipe(other);
    }
  };
  const listen = async (onPort: number) => {
    const server = createServer(accept).listen(onPort, "127.0.0.1");
    await once(server, "listening");
    return server;
  };
  let server = await listen(0);
  const own = (server.address() as AddressInfo).port;
  return {
    through(target) {
      const proxied = new URL(target);
      proxied.hostname = "127.0.0.1";
      proxied.port = String(own);
      return proxied.href;
    },
    async cut() {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    hang() {
      isHanging = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    resume() {
      isHanging = false;
    },
    async restore() {
      server = await listen(own);
    },
  };
}
