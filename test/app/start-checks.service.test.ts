/** A service whose parts fail their checks starts degraded, and reports it. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { NETWORKS } from "../../src/wallet/networks.ts";
import { createOffer } from "../security/seller.ts";
import { type OwnStack, startStack } from "../support/stack.ts";

const METRICS_TOKEN = "token-of-the-operator-0123456789";
const lines: string[] = [];

let stack: OwnStack;
beforeAll(async () => {
  stack = await startStack({
    networks: ["base-sepolia"],
    env: (sandbox) => ({
      // Base's endpoint serves Base Sepolia.
      RPC_URL_BASE: sandbox.networks["base-sepolia"]?.rpcUrl ?? "",
      RPC_URL_AVALANCHE: "http://127.0.0.1:1",
      SMTP_URL: "smtp://user:password@127.0.0.1:1",
      REDIS_URL: "redis://127.0.0.1:1",
      OIDC_ISSUER: "http://127.0.0.1:1",
      OIDC_CLIENT_ID: "satchel",
      METRICS_TOKEN,
      FACILITATOR_URLS: "http://127.0.0.1:1",
    }),
    onLog: (line) => void lines.push(line),
  });
});
afterAll(() => stack.stop());

const get = (path: string, headers: Record<string, string>) => fetch(stack.baseUrl + path, { headers });

it("is ready, and lists the degraded parts with reasons for operators", async () => {
  const response = await get("/health/ready", { authorization: `Bearer ${METRICS_TOKEN}` });
  const body = (await response.json()) as {
    status: string;
    parts: Record<string, { status: string; reason: string | null }>;
  };
  expect([response.status, body.status]).toEqual([200, "degraded"]);
  const reasons = Object.entries(body.parts).map(([name, { status, reason }]) => [name, status, reason]);
  expect(Object.fromEntries(reasons.map(([name, ...rest]) => [name, rest]))).toMatchObject({
    "network:base": ["degraded", "the RPC serves chain 84532 instead of 8453"],
    "network:base-sepolia": ["ok", null],
    "network:avalanche": ["degraded", expect.any(String)],
    database: ["ok", null],
    clock: ["ok", null],
    redis: ["degraded", "the connection is lost"],
    smtp: ["degraded", expect.any(String)],
    oidc: ["degraded", expect.any(String)],
    facilitator: ["degraded", "no valid list of supported kinds from 127.0.0.1:1"],
  });
  expect(JSON.stringify(body)).not.toContain("password");
  expect(await (await get("/health/ready", {})).json()).toEqual({
    status: "degraded",
    checks: { database: "ok", pubsub: "degraded" },
  });
});

it("reports them in metrics and in the log", async () => {
  const metrics = await (await get("/metrics", { authorization: `Bearer ${METRICS_TOKEN}` })).text();
  expect(metrics).toContain('satchel_part_degraded{part="smtp"} 1');
  expect(metrics).toContain('satchel_part_degraded{part="network:base-sepolia"} 0');
  const logged = lines.filter((line) => line.includes("Part is degraded")).map((line) => JSON.parse(line).part);
  expect(logged.sort()).toEqual(["facilitator", "network:avalanche", "network:base", "oidc", "redis", "smtp"]);
});

it("refuses payments on a wrong network with 503 and a code, and serves the others", async () => {
  const account = await stack.account();
  const pay = (network: "base" | "base-sepolia") => {
    const body = {
      paymentRequirements: createOffer({ network, asset: NETWORKS[network].usdc.address }),
      requestData: { url: "http://shop.test/", method: "GET" },
    };
    return stack.rest(account.token, "POST", "/api/sign-payment", body);
  };
  const refused = await pay("base");
  expect([refused.status, refused.json.error]).toEqual([503, "network_degraded"]);
  const balance = await stack.rest(account.token, "GET", "/api/balance?network=base");
  expect([balance.status, balance.json.error]).toEqual([503, "network_degraded"]);
  expect((await pay("base-sepolia")).status).toBe(200);
});
