/**
 * A SOCKS5 proxy (RFC 1928) on loopback for a browser that opens untrusted pages. It resolves every host name through the guarded
 * lookup and connects to allowed addresses only. The traffic passes unchanged.
 */
import { once } from "node:events";
import { type AddressInfo, createServer, isIP, connect as openConnection, type Socket } from "node:net";
import { pipeline } from "node:stream";
import { createGuardedLookup, type ResolveAll, resolveWithSystem } from "./guarded-lookup.ts";
import { assertUrlAllowed, LOCALHOST } from "./target-url.ts";

export interface GuardedProxy {
  /** `socks5://127.0.0.1:<port>` */
  readonly url: string;
  close(): Promise<void>;
}

const VERSION = 5;
const NO_AUTHENTICATION = 0;
const CONNECT = 1;
const ADDRESS_TYPES = { 1: "ipv4", 3: "name", 4: "ipv6" } as const;
const REPLY = { done: 0, notAllowed: 2, unreachable: 4, commandNotSupported: 7 } as const;
/** Timeout for the greeting and the request together. */
const GREETING_MS = 10_000;
const CONNECT_MS = 10_000;
const MAX_CONNECTIONS = 1_024;

/** Addresses of `localhost` names (RFC 6761 section 6.3), since not every system resolver implements the rule. */
const LOOPBACK = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
];

export async function startGuardedProxy(options: {
  readonly allowLoopback: boolean;
  readonly resolveAll?: ResolveAll;
}): Promise<GuardedProxy> {
  const { allowLoopback, resolveAll = resolveWithSystem } = options;
  const lookup = createGuardedLookup(allowLoopback, async (name) =>
    LOCALHOST.test(name) ? LOOPBACK : await resolveAll(name),
  );
  const open = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
    socket.on("error", () => socket.destroy());
    serve(socket).catch(() => socket.destroy());
  });
  server.maxConnections = MAX_CONNECTIONS;

  async function serve(socket: Socket): Promise<void> {
    socket.setTimeout(GREETING_MS, () => socket.destroy());
    const reader = createReader(socket);
    const { read } = reader;
    const [version, methodCount] = await read(2);
    const methods = await read(methodCount ?? 0);
    if (version !== VERSION || !methods.includes(NO_AUTHENTICATION)) return refuse(socket, Buffer.of(VERSION, 0xff));
    socket.write(Buffer.of(VERSION, NO_AUTHENTICATION));
    const [, command, , type] = await read(4);
    const host = await readHost(read, type ?? 0);
    const port = (await read(2)).readUInt16BE();
    reader.release();
    if (command !== CONNECT || host === null) return refuse(socket, reply(REPLY.commandNotSupported));
    if (!isAllowed(host, port)) return refuse(socket, reply(REPLY.notAllowed));
    socket.setTimeout(0);
    const target = openConnection({ host, port, lookup, autoSelectFamily: true, noDelay: true });
    target.setTimeout(CONNECT_MS, () => target.destroy(new Error("The connection timed out.")));
    // If the client disconnects meanwhile, the connection is not needed.
    const disconnectTarget = () => target.destroy();
    socket.once("close", disconnectTarget);
    try {
      await once(target, "connect");
    } catch {
      return refuse(socket, reply(REPLY.unreachable));
    }
    target.setTimeout(0);
    socket.off("close", disconnectTarget);
    socket.write(reply(REPLY.done));
    pipeline(socket, target, socket, () => {
      socket.destroy();
      target.destroy();
    });
  }

  /** Checks IP literals. The guarded lookup checks host names when they are resolved. */
  function isAllowed(host: string, port: number): boolean {
    const url = URL.parse(`http://${isIP(host) === 6 ? `[${host}]` : host}:${port}/`);
    if (!url || port === 0) return false;
    try {
      assertUrlAllowed(url, allowLoopback);
      return true;
    } catch {
      return false;
    }
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `socks5://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      for (const socket of open) socket.destroy();
      if (!server.listening) return;
      server.close();
      await once(server, "close");
    },
  };
}

interface Reader {
  read(count: number): Promise<Buffer>;
  /** Removes the reader's listeners; unread bytes remain in the socket. */
  release(): void;
}

/** Creates a reader of exact byte counts. Later bytes remain in the socket. */
function createReader(socket: Socket): Reader {
  let wake = () => {};
  // One listener throughout: each new "readable" listener is called at once for buffered bytes, even if they are too few.
  const listener = () => wake();
  socket.on("readable", listener).on("close", listener);
  return {
    async read(count) {
      if (count === 0) return Buffer.alloc(0);
      for (;;) {
        const bytes: Buffer | null = socket.read(count);
        if (bytes?.length === count) return bytes;
        if (bytes || socket.readableEnded || socket.destroyed)
          throw new Error("The socket closed during the handshake.");
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    release: () => void socket.off("readable", listener).off("close", listener),
  };
}

async function readHost(read: Reader["read"], type: number): Promise<string | null> {
  switch (ADDRESS_TYPES[type as keyof typeof ADDRESS_TYPES]) {
    case "ipv4":
      return (await read(4)).join(".");
    case "ipv6": {
      const bytes = await read(16);
      return Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16)).join(":");
    }
    case "name":
      return (await read((await read(1))[0] ?? 0)).toString("latin1");
    default:
      return null;
  }
}

/** Ends the connection after `response`. Discards further input: without reading, the socket never reports its end. */
function refuse(socket: Socket, response: Buffer): void {
  socket.removeAllListeners("readable");
  socket.setTimeout(GREETING_MS);
  socket.end(response);
  socket.resume();
}

function reply(code: number): Buffer {
  return Buffer.of(VERSION, code, 0, 1, 0, 0, 0, 0, 0, 0);
}
