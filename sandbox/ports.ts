import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";

/** Gives each listener a free port, by preference the one it had last time, so that stored URLs outlive a restart. */
export interface Ports {
  /** Listens on the remembered port of `name`, or on a free one. Returns the origin, e.g. `http://127.0.0.1:40123`. */
  listen(name: string, server: Server): Promise<string>;
  /** The origin a listener had last time. */
  former(name: string): string | undefined;
  /** Finds a port for a process that listens by itself. */
  reserve(name: string): Promise<number>;
}

/** `dataDir` holds `ports.json`, the memory. */
export function createPorts(dataDir: string, host: string): Ports {
  const file = join(dataDir, "ports.json");
  const remembered = read(file);

  function remember(name: string, port: number): void {
    if (remembered[name] === port) return;
    remembered[name] = port;
    writeFileSync(file, JSON.stringify(remembered));
  }

  async function listenSomewhere(name: string, server: { listen: Server["listen"] } & NodeJS.EventEmitter) {
    const port = await tryListen(server, remembered[name] ?? 0, host).catch(() => tryListen(server, 0, host));
    remember(name, port);
    return port;
  }

  const origin = (port: number) => `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  return {
    listen: async (name, server) => origin(await listenSomewhere(name, server)),
    former: (name) => (remembered[name] ? origin(remembered[name]) : undefined),
    async reserve(name) {
      const probe = createServer();
      const port = await listenSomewhere(name, probe as unknown as Server);
      await new Promise((resolve) => probe.close(resolve));
      return port;
    },
  };
}

function tryListen(
  server: { listen: Server["listen"] } & NodeJS.EventEmitter,
  port: number,
  host: string,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const bound = server as Server;
    bound.once("error", reject);
    bound.listen(port, host, () => {
      bound.off("error", reject);
      const address = bound.address();
      if (address && typeof address === "object") resolve(address.port);
      else reject(new Error("The listener has no port"));
    });
  });
}

function read(file: string): Record<string, number> {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Record<string, number>;
  } catch {
    return {};
  }
}
