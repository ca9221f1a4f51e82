/** Behind a reverse proxy every socket comes from the proxy: places are counted by who is behind it. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { WebSocket } from "ws";
import { DEFAULT_LIMITS } from "../../src/platform/graphql/limits.ts";
import { type Stack, startStack } from "../support/stack.ts";

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ env: { TRUST_PROXY: "127.0.0.1" } });
});
afterAll(() => stack.stop());

const opened: WebSocket[] = [];
/** What the upgrade is answered with. */
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

it("one client behind the proxy takes no place of another", async () => {
  const one = { "x-forwarded-for": "203.0.113.1" };
  const statuses = await Promise.all(Array.from({ length: DEFAULT_LIMITS.maxConnectionsPerIp }, () => connect(one)));
  expect(new Set(statuses)).toEqual(new Set([101]));
  expect(await connect(one)).toBe(429);
  expect(await connect({ "x-forwarded-for": "203.0.113.2" })).toBe(101);
  // What a client writes itself, the proxy only adds to.
  expect(await connect({ "x-forwarded-for": "203.0.113.3, 203.0.113.1" })).toBe(429);
});
