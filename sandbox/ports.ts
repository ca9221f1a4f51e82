import { randomInt } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";

/** Assigns each listener a free port, preferably its previous one: stored URLs remain valid after a restart. */
export interface Ports {
  /** Listens on the stored port of `name`, or else on a free one. Returns the origin, e.g. `http://127.0.0.1:40123`. */
  listen(name: string, server: Server): Promise<string>;
  /** Returns the origin of a listener in the previous process. */
  previousOrigin(name: string): string | undefined;
  /** Reserves a port for a child process that opens its own listener. */
  reserve(name: string): Promise<number>;
}

/**
 * Ports that no common operating system assigns to outgoing connections. One of those could use a listener's port while the
 * sandbox is stopped.
 */
const FIRST_PORT = 15_000;
const END_PORT = 32_000;
const MAX_ATTEMPTS = 20;

/** Creates the port assignment, stored in `ports.json` of `dataDir`. */
export function createPorts(dataDir: string, host: string): Ports {
  const file = join(dataDir, "ports.json");
  const storedPorts = readPorts(file);

  function storePort(name: string, port: number): void {
    if (storedPorts[name] === port) return;
    storedPorts[name] = port;
    writeFileSync(file, JSON.stringify(storedPorts));
  }

  async function listenOnFreePort(name: string, server: { listen: Server["listen"] } & NodeJS.EventEmitter) {
    for (let attempt = 0; ; attempt++) {
      const preferred = (attempt === 0 && storedPorts[name]) || randomInt(FIRST_PORT, END_PORT);
      try {
        const port = await tryListen(server, attempt < MAX_ATTEMPTS ? preferred : 0, host);
        storePort(name, port);
        return port;
      } catch (error) {
        if (attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }

  const origin = (port: number) => `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  return {
    listen: async (name, server) => origin(await listenOnFreePort(name, server)),
    previousOrigin: (name) => (storedPorts[name] ? origin(storedPorts[name]) : undefined),
    async reserve(name) {
      const probe = createServer();
      const port = await listenOnFreePort(name, probe as unknown as Server);
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

function readPorts(file: string): Record<string, number> {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Record<string, number>;
  } catch {
    return {};
  }
}
