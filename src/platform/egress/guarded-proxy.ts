/**
 * A SOCKS5 proxy (RFC 1928) on loopback for a browser that meets strangers' pages: it resolves every name itself, and connects
 * where the guard allows only. What goes through it stays as it is.
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
/** For greeting and asking together; browsers do both at once. */
const GREETING_MS = 10_000;
const CONNECT_MS = 10_000;
const MAX_CONNECTIONS = 1_024;

/** RFC 6761 section 6.3: these are loopback, and not every system's resolver knows it. */
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
    const reader = readerOf(socket);
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
    target.setTimeout(CONNECT_MS, () => target.destroy(new Error("It did not connect in time.")));
    // Whoever has gone is connected to nothing.
    const leave = () => target.destroy();
    socket.once("close", leave);
    try {
      await once(target, "connect");
    } catch {
      return refuse(socket, reply(REPLY.unreachable));
    }
    target.setTimeout(0);
    socket.off("close", leave);
    socket.write(reply(REPLY.done));
    pipeline(socket, target, socket, () => {
      socket.destroy();
      target.destroy();
    });
  }

  /** Literals are judged here; names are when they are resolved. */
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
  /** Leaves the rest to somebody else. */
  release(): void;
}

/** Reads exact counts of bytes; what comes after them stays in the socket. */
function readerOf(socket: Socket): Reader {
  let wake = () => {};
  // Listened to throughout: whoever begins to listen is told at once of bytes that are too few still, over and over.
  const listener = () => wake();
  socket.on("readable", listener).on("close", listener);
  return {
    async read(count) {
      if (count === 0) return Buffer.alloc(0);
      for (;;) {
        const bytes: Buffer | null = socket.read(count);
        if (bytes?.length === count) return bytes;
        if (bytes || socket.readableEnded || socket.destroyed) throw new Error("It ended while asking.");
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

/** What it says beyond that is read away, or its end would never be seen. */
function refuse(socket: Socket, answer: Buffer): void {
  socket.removeAllListeners("readable");
  socket.setTimeout(GREETING_MS);
  socket.end(answer);
  socket.resume();
}

function reply(code: number): Buffer {
  return Buffer.of(VERSION, code, 0, 1, 0, 0, 0, 0, 0, 0);
}
