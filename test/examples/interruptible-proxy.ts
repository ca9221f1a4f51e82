/** A TCP proxy whose connections can be cut. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface InterruptibleProxy {
  readonly url: string;
  /** Ends all connections, and every new one until `restore`. */
  cut(): void;
  restore(): void;
  close(): void;
}

export async function startInterruptibleProxy(target: string): Promise<InterruptibleProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) {
      near.destroy();
      return;
    }
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket
        .on("error", () => {})
        .on("close", () => {
          sockets.delete(socket);
          near.destroy();
          far.destroy();
        });
    }
    near.pipe(far).pipe(near);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const destroyAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      isCut = true;
      destroyAll();
    },
    restore() {
      isCut = false;
    },
    close() {
      destroyAll();
      server.close();
    },
  };
}
