/** Limits by network of the endpoints that everyone can call: each counts the address and the provider's customer. */
import { randomInt } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createAuthorizePath, createBrowser, createClient, openSignedInBrowser, postOAuth } from "../support/oauth.ts";
import { type OwnStack, startStack } from "../support/stack.ts";

const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";
/** Requests that the test sends at a time. */
const PARALLEL = 20;

let stack: OwnStack;
let clientId: string;

beforeAll(async () => {
  stack = await startStack({ env: { TRUST_PROXY: "127.0.0.1/32,::1/128" } });
  ({ clientId } = await createClient(stack, { kind: "public", deviceGrant: true }));
});
afterAll(() => stack.stop());

/** A request of a client with an address. Returns its status. */
type Send = (ip: string) => Promise<number>;

const from = (ip: string) => ({ "x-forwarded-for": ip });
const beginDevice: Send = async (ip) =>
  (await postOAuth(stack, "/oauth/device_authorization", { client_id: clientId }, { headers: from(ip) })).status;
const register: Send = async (ip) =>
  (await stack.rest(null, "POST", "/oauth/register", { redirect_uris: ["http://localhost/cb"] }, from(ip))).status;
const authorize: Send = async (ip) =>
  (await createBrowser(stack, null).navigate(createAuthorizePath(clientId), { headers: from(ip) })).status;
const push: Send = async (ip) =>
  (await postOAuth(stack, "/oauth/par", { client_id: clientId, state: "1" }, { headers: from(ip) })).status;
const poll: Send = async (ip) =>
  (
    await postOAuth(
      stack,
      "/oauth/token",
      { grant_type: DEVICE_GRANT, client_id: clientId, device_code: "unknown" },
      { headers: from(ip) },
    )
  ).status;

/** Enters a code as an account of its own, which has a lower limit. */
const enterCode: Send = async (ip) => {
  const browser = await openSignedInBrowser(stack, (await stack.account()).accountId);
  const document = `mutation { findDeviceRequest(input: { userCode: "BBBB-BBBB" }) { ... on Error { code } } }`;
  const { code } = (await browser.graphql(document, {}, from(ip))).json.data.findDeviceRequest;
  return code === "RATE_LIMITED" ? 429 : 200;
};

/** Sends requests until they number `count`. Returns how many were not refused by a limit. */
async function countAccepted(send: Send, count: number, addressOf: (index: number) => string): Promise<number> {
  let accepted = 0;
  for (let start = 0; start < count; start += PARALLEL) {
    const indices = Array.from({ length: Math.min(PARALLEL, count - start) }, (_, index) => start + index);
    const statuses = await Promise.all(indices.map((index) => send(addressOf(index))));
    accepted += statuses.filter((status) => status !== 429).length;
  }
  return accepted;
}

/** An IPv6 /48 that no other test uses. */
const newSite = () => `2001:db8:${randomInt(1, 0xffff).toString(16)}`;

it.each([
  ["a registration", register, 20],
  ["a device authorization request", beginDevice, 60],
  ["the entry of a user code", enterCode, 50],
  ["an authorization or pushed request", (ip: string) => (ip.endsWith("0") ? push(ip) : authorize(ip)), 300],
  ["a poll", poll, 1_200],
] as const)("%s is limited for an IPv6 /64, and for the /48 around it", async (_name, send, limit) => {
  const site = newSite();
  expect(await countAccepted(send, limit + 1, (index) => `${site}:1::${index.toString(16)}`)).toBe(limit);
  const others = (index: number) => `${site}:${(index + 2).toString(16)}::1`;
  expect(await countAccepted(send, 2 * limit + 20, others)).toBe(2 * limit);
  expect(await send("198.51.100.7")).not.toBe(429);
});

it("a flood of device requests from many networks does not lock others out", async () => {
  ({ clientId } = await createClient(stack, { kind: "public", deviceGrant: true }));
  // Each address is in a network of its own, so only the limit of the application applies.
  const flood = (index: number) => `10.${Math.floor(index / 50)}.${index % 50}.1`;
  expect(await countAccepted(beginDevice, 1_000, flood)).toBe(1_000);
  const user = () => "203.0.113.9";
  expect(await countAccepted(beginDevice, 6, user)).toBe(5);
  expect(await countAccepted(beginDevice, 1, () => "203.0.113.10")).toBe(0);
  expect(await beginDevice("192.0.2.1")).toBe(200);
});
