/** Limits behind a reverse proxy: sockets and requests are counted by the forwarded client address, not the proxy's. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { WebSocket } from "ws";
import { DEFAULT_LIMITS } from "../../src/platform/graphql/limits.ts";
import { type OwnStack, startStack } from "../support/stack.ts";

let stack: OwnStack;
beforeAll(async () => {
  stack = await startStack({ env: { TRUST_PROXY: "127.0.0.1" } });
});
afterAll(() => stack.stop());

const opened: WebSocket[] = [];
/** Returns the status of the upgrade response. */
function connect(headers: Record<string, string>): Promise<number> {
  const socket = new WebSocket(`${stack.baseUrl.replace("http", "ws")}/graphql`, "graphql-transport-ws", { headers });
  opened.push(socket);
  return new Promise((resolve, reject) => {
    socket.once("open", () => resolve(101));
    socket.once("unexpected-response", (_request, response) => resolve(response.statusCode ?? 0));
    socket.once("error", reject);
  });
}
afterAll(() => {
  for (const socket of opened) socket.terminate();
});

it("limits sockets per client behind the proxy", async () => {
  const one = { "x-forwarded-for": "203.0.113.1" };
  const statuses = await Promise.all(
    Array.from({ length: DEFAULT_LIMITS.maxUnauthenticatedPerIp }, () => connect(one)),
  );
  expect(new Set(statuses)).toEqual(new Set([101]));
  expect(await connect(one)).toBe(429);
  expect(await connect({ "x-forwarded-for": "203.0.113.2" })).toBe(101);
  // The proxy appends to a header sent by the client, so only the last address counts.
  expect(await connect({ "x-forwarded-for": "203.0.113.3, 203.0.113.1" })).toBe(429);
});

it("counts the addresses of an IPv6 network as one client", async () => {
  const at = (address: string) => ({ "x-forwarded-for": address });
  const addresses = Array.from(
    { length: DEFAULT_LIMITS.maxUnauthenticatedPerIp },
    (_, host) => `2001:db8:0:1::${host + 1}`,
  );
  const statuses = await Promise.all(addresses.map((address) => connect(at(address))));
  expect(new Set(statuses)).toEqual(new Set([101]));
  expect(await connect(at("2001:db8:0:1:ffff::1"))).toBe(429);
  expect(await connect(at("2001:db8:0:2::1"))).toBe(101);
});

it("counts authorization requests from all addresses of an IPv6 network together", async () => {
  const authorize = async (address: string) => {
    const response = await fetch(`${stack.baseUrl}/oauth/authorize`, { headers: { "x-forwarded-for": address } });
    await response.arrayBuffer();
    return response.status;
  };
  const addresses = Array.from({ length: 300 }, (_, host) => `2001:db8:0:3::${host + 1}`);
  expect(new Set(await Promise.all(addresses.map(authorize)))).toEqual(new Set([400]));
  expect(await authorize("2001:db8:0:3:ffff::1")).toBe(429);
  expect(await authorize("2001:db8:0:4::1")).toBe(400);
});
