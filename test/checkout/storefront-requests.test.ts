/** Requests to a store that throttles or redirects them. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { MerchantThrottledError } from "../../src/checkout/errors.ts";
import { queryStorefront } from "../../src/checkout/storefront/client.ts";
import { retryThrottled } from "../../src/checkout/storefront/retry-throttled.ts";
import { createEgress } from "../../src/platform/egress/egress.ts";
import { UrlNotAllowedError } from "../../src/platform/egress/errors.ts";

type Respond = (request: IncomingMessage, response: ServerResponse) => void;

const PRIVATE_HOST = "internal.store.example";
const resolveAll = async (host: string) => [
  { address: host === PRIVATE_HOST ? "10.0.0.1" : "127.0.0.1", family: 4 as const },
];
const egress = createEgress({ allowLoopback: true, resolveAll });
/** Responses in order; afterwards the server responds normally. */
let responses: Respond[] = [];
let received: { host: string; body: string }[] = [];
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  received.push({ host: request.headers.host?.split(":")[0] ?? "", body: Buffer.concat(chunks).toString() });
  (responses.shift() ?? respondNormally)(request, response);
});
let port = 0;

beforeAll(async () => {
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
});
beforeEach(() => {
  responses = [];
  received = [];
});
afterAll(async () => {
  await egress.close();
  server.close();
});

const sendJson = (response: ServerResponse, body: object) =>
  response.setHeader("content-type", "application/json").end(JSON.stringify(body));
const respondNormally: Respond = (_request, response) => sendJson(response, { data: { shop: { name: "Store" } } });
const throttle: Respond = (_request, response) =>
  sendJson(response, { errors: [{ message: "Throttled", extensions: { code: "THROTTLED" } }] });
const refuse =
  (status: number, retryAfter?: string): Respond =>
  (_request, response) => {
    if (retryAfter !== undefined) response.setHeader("retry-after", retryAfter);
    response.writeHead(status).end();
  };
const redirectTo =
  (location: (path: string) => string, status = 301): Respond =>
  (request, response) =>
    response.writeHead(status, { location: location(request.url ?? "") }).end();

const schema = z.object({ shop: z.object({ name: z.string() }) });
const read = (host = "store.example", more: { isScheduled?: boolean } = {}) =>
  queryStorefront(egress, `http://${host}:${port}`, { query: "{ shop { name } }", variables: {}, schema, ...more });

describe("a throttled request", () => {
  it.each([
    ["in the response's errors", throttle],
    ["with status 429", refuse(429)],
    ["with Shopify's status 430", refuse(430)],
    ["with 503 and Retry-After", refuse(503, "0")],
  ])("%s is sent again", async (_kind, respond) => {
    responses = [respond, respond];
    expect(await read()).toEqual({ shop: { name: "Store" } });
    expect(received).toHaveLength(3);
  });

  it("is not sent before the merchant's delay", async () => {
    responses = [refuse(429, "1")];
    const startMs = performance.now();
    await read();
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(995);
  });

  it.each([
    ["the delay exceeds the time limit", refuse(429, "60"), {}],
    ["the merchant may be down", refuse(503), {}],
    ["a job schedules its next attempt", throttle, { isScheduled: true }],
  ])("fails at once if %s", async (_reason, respond, more) => {
    responses = [respond];
    await expect(read("store.example", more)).rejects.toThrow(MerchantThrottledError);
    expect(received).toHaveLength(1);
  });

  it("is repeated until the time limit, with growing delays", async () => {
    const sentMs: number[] = [];
    const startMs = performance.now();
    const request = async () => {
      sentMs.push(performance.now());
      throw new MerchantThrottledError(0);
    };
    await expect(retryThrottled(request, startMs + 1_500)).rejects.toThrow(MerchantThrottledError);
    expect(performance.now() - startMs).toBeLessThan(1_500);
    expect(sentMs.length).toBeGreaterThan(1);
    expect(sentMs.length).toBeLessThan(6);
  });
});

describe("a redirected request", () => {
  const to = (host: string) => (path: string) => `http://${host}:${port}${path}`;

  it.each([301, 302, 307, 308])("is sent again with its body for status %d", async (status) => {
    responses = [redirectTo(to("www.store.example"), status)];
    expect(await read()).toEqual({ shop: { name: "Store" } });
    expect(received.map(({ host }) => host)).toEqual(["store.example", "www.store.example"]);
    expect(received[1]?.body).toBe(received[0]?.body);
    expect(received[1]?.body).toContain("shop");
  });

  it.each([
    ["another site", to("store.example.attacker.example")],
    ["another shop of the platform", to("other.myshopify.com"), "shop.myshopify.com"],
    ["another domain of the same suffix", to("other.co.uk"), "store.co.uk"],
    ["another path", (): string => `http://www.store.example:${port}/collect`],
    ["another scheme", (): string => "ftp://www.store.example/api/2026-10/graphql.json"],
    ["credentials", (path: string) => `http://user:secret@www.store.example:${port}${path}`],
  ])("is not sent to %s", async (_target, location, host = "store.example") => {
    responses = [redirectTo(location)];
    await expect(read(host)).rejects.toThrow(/status 301|did not respond/);
    expect(received).toHaveLength(1);
  });

  it("is subject to the egress guard", async () => {
    responses = [redirectTo(to(PRIVATE_HOST))];
    await expect(read()).rejects.toMatchObject({ cause: expect.any(UrlNotAllowedError) });
    expect(received).toHaveLength(1);
  });

  it("fails if the store redirects in circles", async () => {
    responses = Array.from({ length: 9 }, (_, at) => redirectTo(to(at % 2 ? "store.example" : "www.store.example")));
    await expect(read()).rejects.toThrow("status 301");
    expect(received).toHaveLength(4);
  });
});
