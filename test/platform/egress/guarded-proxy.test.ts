/** The proxy of the checkout workers' browsers, tested with raw SOCKS5 bytes (RFC 1928). */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type GuardedProxy, startGuardedProxy } from "../../../src/platform/egress/guarded-proxy.ts";

let target: Server;
let open: GuardedProxy;
let guarded: GuardedProxy;
let port: number;
const resolveAll = async (name: string) => {
  const address = { "rebound.example": "10.0.0.1", "mapped.example": "::ffff:127.0.0.1" }[name];
  if (!address) throw new Error("no such name");
  return [{ address, family: address.includes(":") ? 6 : 4 }];
};

beforeAll(async () => {
  target = createServer((socket) => void socket.end("hello")).listen(0, "127.0.0.1");
  await once(target, "listening");
  port = (target.address() as AddressInfo).port;
  open = await startGuardedProxy({ allowLoopback: true, resolveAll });
  guarded = await startGuardedProxy({ allowLoopback: false, resolveAll });
});
afterAll(async () => {
  await Promise.all([open?.close(), guarded?.close()]);
  target?.close();
});

const GREETING = [5, 1, 0];
const ofName = (name: string) => [5, 1, 0, 3, name.length, ...Buffer.from(name), port >> 8, port & 0xff];
const ofIPv4 = (address: string, to = port) => [5, 1, 0, 1, ...address.split(".").map(Number), to >> 8, to & 0xff];
const ofIPv6 = (bytes: number[]) => [5, 1, 0, 4, ...Array(16 - bytes.length).fill(0), ...bytes, port >> 8, port & 0xff];

/** Sends the bytes, one at a time with `inParts`, and returns everything received until the connection closes. */
async function exchange(proxy: GuardedProxy, bytes: number[], inParts = false): Promise<Buffer> {
  const socket = connect(Number(new URL(proxy.url).port), "127.0.0.1");
  socket.setNoDelay(true);
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => chunks.push(chunk));
  socket.on("error", () => {});
  if (inParts) {
    for (const byte of bytes) {
      socket.write(Buffer.of(byte));
      await new Promise((resolve) => setImmediate(resolve));
    }
  } else socket.write(Buffer.from(bytes));
  await once(socket, "close");
  return Buffer.concat(chunks);
}
const codeOf = (response: Buffer) => response[3];

describe("the guarded proxy", () => {
  it.each([
    ["an address", () => ofIPv4("127.0.0.1")],
    ["localhost", () => ofName("localhost")],
    ["a name under localhost", () => ofName("bank.localhost")],
  ])("connects to %s only with allowLoopback", async (_case, request) => {
    for (const inParts of [false, true]) {
      const response = await exchange(open, [...GREETING, ...request()], inParts);
      expect(response.subarray(12).toString()).toBe("hello");
    }
    expect(codeOf(await exchange(guarded, [...GREETING, ...request()]))).not.toBe(0);
  });

  it.each([
    ["a private address", () => ofIPv4("10.0.0.1"), 2],
    ["a cloud metadata address", () => ofIPv4("169.254.169.254"), 2],
    ["an IPv4-mapped IPv6 address", () => ofIPv6([0xff, 0xff, 10, 0, 0, 1]), 2],
    ["port 0", () => ofIPv4("8.8.8.8", 0), 2],
    ["a name that resolves to a private address", () => ofName("rebound.example"), 4],
    ["a name that is a hexadecimal address", () => ofName("0x0a000001"), 2],
    ["a name with user information and another host", () => ofName("user@10.0.0.1"), 2],
    ["a name that does not resolve", () => ofName("unknown.example"), 4],
    ["a command other than CONNECT", () => [5, 2, ...ofIPv4("8.8.8.8").slice(2)], 7],
    ["an unknown address type", () => [5, 1, 0, 9, 0, 0, 0, 0, 0, 0], 7],
  ])("rejects %s", async (_case, request, code) => {
    for (const proxy of [open, guarded]) expect(codeOf(await exchange(proxy, [...GREETING, ...request()]))).toBe(code);
  });

  it("rejects a name that resolves to loopback without allowLoopback", async () => {
    expect(codeOf(await exchange(guarded, [...GREETING, ...ofName("mapped.example")]))).toBe(4);
  });

  it("rejects another SOCKS version and clients that offer only authentication", async () => {
    expect([...(await exchange(open, [4, 1, 0]))]).toEqual([5, 0xff]);
    expect([...(await exchange(open, [5, 1, 2]))]).toEqual([5, 0xff]);
  });
});
