/** With loopback blocked, as in production: no notation of a private address is called, nor a redirect to one. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Service } from "../../src/app/service.ts";
import { type Api, createApiClient } from "../support/api.ts";
import { openSandbox, type TestSandbox } from "../support/sandbox.ts";
import { createSatchel, type Payer, type Satchel } from "../support/satchel.ts";
import { postgresqlUrl } from "../support/servers.ts";
import { listPayments } from "./reconcile.ts";

let sandbox: TestSandbox;
let satchel: Satchel;
let closed: Service;
let payer: Payer;
let api: Api;
let port: string;

beforeAll(async () => {
  sandbox = await openSandbox(["base-sepolia"]);
  satchel = await createSatchel({ sandbox, postgresql: postgresqlUrl });
  closed = await satchel.open({ EGRESS_ALLOW_LOOPBACK: "0" });
  payer = await satchel.payer({ usdcAtomic: 1_000_000n });
  api = createApiClient(closed.baseUrl, payer.token);
  port = new URL(sandbox.shopUrl).port;
});
afterAll(async () => {
  await closed?.stop();
  await satchel?.remove();
  await sandbox?.stop();
});

const spellings = [
  "127.0.0.1",
  "localhost",
  "2130706433",
  "0x7f.1",
  "0177.0.0.1",
  "127.1",
  "0",
  "[::1]",
  "[::ffff:127.0.0.1]",
];
it.each(spellings)("rejects loopback as %s", async (host) => {
  const { status, json } = await api.fetch(`http://${host}:${port}/v1/weather`);
  expect([status, json.error, json.field]).toEqual([400, "url_not_allowed", "url"]);
});

it.each(["10.0.0.1", "192.168.1.1", "172.16.0.1", "169.254.169.254", "100.64.0.1", "[fd00::1]", "[fe80::1]"])(
  "rejects the private address %s over REST and GraphQL",
  async (host) => {
    expect((await api.fetch(`http://${host}/`)).json).toMatchObject({ error: "url_not_allowed", field: "url" });
    const fetchMutation = "mutation ($url: Url!) { x402Fetch(input: { url: $url }) { ... on Error { code } } }";
    const { json } = await api.graphql(fetchMutation, { url: `http://${host}/` });
    expect(json.data.x402Fetch).toEqual({ code: "URL_NOT_ALLOWED" });
    const requirementsQuery = "query ($url: Url!) { x402Requirements(url: $url) { ... on Error { code } } }";
    expect((await api.graphql(requirementsQuery, { url: `http://${host}/` })).json.data.x402Requirements).toEqual({
      code: "URL_NOT_ALLOWED",
    });
  },
);

it("has sent no request and no payment to the seller", async () => {
  expect((await sandbox.observed("/v1/weather")).requests).toEqual([]);
  expect(await listPayments(closed, payer.accountId)).toEqual([]);
});

it("follows no redirect to a private address, even with loopback allowed", async () => {
  await closed.stop();
  closed = await satchel.open();
  api = createApiClient(closed.baseUrl, payer.token);
  for (const to of [
    "http://10.0.0.1/",
    "http://169.254.169.254/latest/meta-data/",
    "http://[fd00::1]/",
    "file:///etc/passwd",
  ]) {
    const { status, json } = await api.fetch(
      `${sandbox.shopUrl}/fault/redirect-unpaid-private?to=${encodeURIComponent(to)}`,
    );
    expect([status, json.error], to).toEqual([400, "url_not_allowed"]);
  }
  expect((await api.fetch(`${sandbox.shopUrl}/fault/redirect`)).status).toBe(200);
});
