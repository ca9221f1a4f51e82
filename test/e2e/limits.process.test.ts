// @module-tag postgresql
/** 200 concurrent requests on two server processes sign exactly as many payments as the limit allows. */
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { auditLedger } from "../../src/wallet/audit.ts";
import { type Api, createApiClient, fetchRequirements, type TestResponse } from "../support/api.ts";
import { openSandbox, type TestSandbox } from "../support/sandbox.ts";
import { createSatchel, type PayerOptions, type Satchel } from "../support/satchel.ts";
import type { SatchelProcess } from "../support/satchel-process.ts";
import { postgresqlUrl } from "../support/servers.ts";

const REQUESTS = 200;
const PRICE = 10_000n;
const AMPLE_BALANCE = 1_000_000_000n;
/** Payments that the limit allows. One unit is missing for a 38th. */
const ALLOWED = 37;
const LIMIT = PRICE * 38n - 1n;

const cases: [what: string, payer: PayerOptions, error: string, period?: string][] = [
  [
    "the token's daily limit",
    { usdcAtomic: AMPLE_BALANCE, tokenLimits: { dailyMicroUsd: LIMIT } },
    "spending_limit_exceeded",
    "day",
  ],
  [
    "the token's monthly limit",
    { usdcAtomic: AMPLE_BALANCE, tokenLimits: { monthlyMicroUsd: LIMIT } },
    "spending_limit_exceeded",
    "month",
  ],
  [
    "the account's own limit",
    { usdcAtomic: AMPLE_BALANCE, accountLimits: { dailyMicroUsd: LIMIT } },
    "spending_limit_exceeded",
    "day",
  ],
  ["free credit", { creditMicroUsd: LIMIT }, "insufficient_balance"],
  ["the wallet", { usdcAtomic: LIMIT }, "insufficient_balance"],
];

describe.skipIf(postgresqlUrl === null)("two processes on one database", () => {
  let sandbox: TestSandbox;
  let satchel: Satchel;
  let processes: [SatchelProcess, SatchelProcess];
  let requirements: unknown;
  let url: string;

  beforeAll(async () => {
    sandbox = await openSandbox(["base-sepolia"]);
    satchel = await createSatchel({ sandbox, postgresql: postgresqlUrl });
    await satchel.withDatabase(async () => {});
    processes = await Promise.all([satchel.start(), satchel.start()]);
    url = `${sandbox.shopUrl}/v1/price/${PRICE}`;
    requirements = await fetchRequirements(url);
  });
  afterAll(async () => {
    await Promise.all(processes?.map((each) => each.stop()) ?? []);
    await satchel?.remove();
    await sandbox?.stop();
  });

  const createApis = (token: string): [Api, Api] => [
    createApiClient(processes[0].baseUrl, token),
    createApiClient(processes[1].baseUrl, token),
  ];

  async function sendConcurrently(token: string): Promise<TestResponse[]> {
    const [one, other] = createApis(token);
    const calls = Array.from({ length: REQUESTS }, (_, n) => (n % 2 === 0 ? one : other).sign(url, requirements));
    return await Promise.all(calls);
  }

  it.each(cases)("sign exactly what %s allows", async (_what, options, error, period) => {
    const payer = await satchel.payer(options);
    const responses = await sendConcurrently(payer.token);
    const signed = responses.filter(({ status }) => status === 200);
    const rejected = responses.filter(({ status }) => status !== 200);
    expect([signed.length, rejected.length]).toEqual([ALLOWED, REQUESTS - ALLOWED]);
    for (const { status, json } of rejected) {
      expect([status, json.error, json.period]).toEqual([402, error, period]);
      expect(json.required).toBe(0.01);
    }
    const nonces = signed.map(({ json }) => json.paymentProof.payload.authorization.nonce);
    expect(new Set(nonces).size).toBe(ALLOWED);

    await satchel.withDatabase(async (db) => {
      const { accountId, tokenId } = payer;
      const rows = await db.prisma.transaction.findMany({ where: { accountId, direction: "out" } });
      expect([rows.length, new Set(rows.map(({ status }) => status))]).toEqual([ALLOWED, new Set(["signed"])]);
      const used = PRICE * BigInt(ALLOWED);
      for (const id of [accountId, tokenId]) {
        const budget = await db.prisma.budget.findUniqueOrThrow({ where: { id } });
        expect([budget.dayUsedMicroUsd, budget.monthUsedMicroUsd]).toEqual([used, used]);
      }
      expect(await auditLedger(db)).toEqual([]);
    });
  });

  it("share one limit, and each reports the use of the other", async () => {
    const payer = await satchel.payer({ usdcAtomic: AMPLE_BALANCE, tokenLimits: { dailyMicroUsd: LIMIT } });
    await sendConcurrently(payer.token);
    for (const api of createApis(payer.token)) {
      const query = "{ viewer { apiToken { spending { day { limitUsd outstandingUsd settledUsd remainingUsd } } } } }";
      const { json } = await api.graphql(query);
      expect(json.data.viewer.apiToken.spending.day).toEqual({
        limitUsd: "0.379999",
        outstandingUsd: "0.37",
        settledUsd: "0.00",
        remainingUsd: "0.009999",
      });
    }
  });

  it("both stop signing when the token is revoked on one", async () => {
    const payer = await satchel.payer({ usdcAtomic: AMPLE_BALANCE });
    const [one, other] = createApis(payer.token);
    expect((await other.sign(url, requirements)).status).toBe(200);
    const { json } = await one.graphql("{ viewer { apiToken { id } } }");
    const revoke = "mutation ($id: ID!) { revokeApiToken(input: { id: $id }) { __typename } }";
    const revoked = await one.graphql(revoke, { id: json.data.viewer.apiToken.id });
    expect(revoked.json.data.revokeApiToken.__typename).toBe("RevokeApiTokenSuccess");
    expect((await other.sign(url, requirements)).status).toBe(401);
  });

  it("pay once for 50 requests with one Idempotency-Key across both", async () => {
    const payer = await satchel.payer({ usdcAtomic: AMPLE_BALANCE });
    const key = { "idempotency-key": randomBytes(8).toString("hex") };
    const [one, other] = createApis(payer.token);
    const calls = Array.from({ length: 50 }, (_, n) => (n % 2 === 0 ? one : other).sign(url, requirements, key));
    const responses = await Promise.all(calls);
    const paid = responses.filter(({ status }) => status === 200);
    expect(new Set(paid.map(({ text }) => text)).size).toBe(1);
    for (const { status, json } of responses.filter((each) => each.status !== 200)) {
      expect([status, json.error]).toEqual([409, "idempotency_in_flight"]);
    }
    const after = await Promise.all([one.sign(url, requirements, key), other.sign(url, requirements, key)]);
    expect(after.map(({ text }) => text)).toEqual([paid[0]?.text, paid[0]?.text]);
    const { accountId } = payer;
    const count = await satchel.withDatabase((db) =>
      db.prisma.transaction.count({ where: { accountId, direction: "out" } }),
    );
    expect(count).toBe(1);
  });
});
