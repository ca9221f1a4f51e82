// @module-tag postgresql
/** A process killed at any point: after a restart nothing is lost, nothing is paid twice, and all that was promised ends. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { SandboxNetwork } from "../../sandbox/endpoints.ts";
import type { Service } from "../../src/app/service.ts";
import { auditLedger } from "../../src/wallet/audit.ts";
import { type Api, apiOf } from "../support/api.ts";
import { openDeafRpc } from "../support/deaf-rpc.ts";
import { openSandbox, type TestSandbox } from "../support/sandbox.ts";
import { createSatchel, type Payer, type Satchel } from "../support/satchel.ts";
import type { SatchelProcess } from "../support/satchel-process.ts";
import { postgresqlUrl as server } from "../support/servers.ts";
import { layStopPoints, PAYMENT_POINTS, type StopPoints } from "../support/stop-points.ts";
import { goBackAfter, passTime, usdcOf } from "../support/usdc.ts";
import { paymentsOf, reconcileNow } from "./settle.ts";

const FUNDS = 5_000_000n;
/** Told apart in what the shop saw: no two purchases of this file have the same. */
let nextPrice = 10_000n;

describe(`on ${server === null ? "PGlite" : "PostgreSQL"}, killed`, () => {
  let sandbox: TestSandbox;
  let chain: SandboxNetwork;
  let satchel: Satchel;
  let points: StopPoints;
  let payer: Payer;
  let starting: Promise<SatchelProcess> | null = null;

  beforeAll(async () => {
    sandbox = await openSandbox(["base-sepolia"]);
    chain = sandbox.networks["base-sepolia"] as SandboxNetwork;
    satchel = await createSatchel({ sandbox, postgresql: server });
    points = await layStopPoints(satchel, { server, points: PAYMENT_POINTS });
    // Of its coins alone: it pays the network's fee for withdrawals.
    await satchel.fundTreasury(0n);
  });
  beforeEach(async () => {
    payer = await satchel.payer({ usdcAtomic: FUNDS, tokenLimits: { dailyMicroUsd: FUNDS } });
  });
  afterEach(async () => {
    // Also one that was still starting when its test ran out of time: it locks the folder.
    await (await starting?.catch(() => null))?.kill();
    starting = null;
    // A test that failed half way must not stop the next one where it stands.
    await points.stopAt(null);
  });
  afterAll(async () => {
    await satchel?.remove();
    await sandbox?.stop();
  });

  async function start(env: Record<string, string> = {}): Promise<{ running: SatchelProcess; api: Api }> {
    starting = satchel.start(env);
    const running = await starting;
    return { running, api: apiOf(running.baseUrl, payer.token) };
  }

  /** Starts the service in this process after a crash. A second process would take three times as long. */
  async function within<Result>(use: (service: Service) => Promise<Result>): Promise<Result> {
    const service = await satchel.open();
    try {
      return await use(service);
    } finally {
      await service.stop();
    }
  }

  /** A key whose first request died with its process is free again once its lease has run out. */
  const endLeases = () =>
    satchel.withDatabase((db) => db.prisma.idempotencyRecord.updateMany({ data: { leasedUntil: new Date(0) } }));

  const rowOf = (idempotencyKey: string) =>
    satchel.withDatabase((db) =>
      db.prisma.transaction.findFirst({ where: { accountId: payer.accountId, idempotencyKey } }),
    );

  /** Something at a price that nobody has asked for yet. */
  function somethingNew() {
    const path = `/v1/price/${nextPrice++}`;
    const paid = async () => (await sandbox.observed(path)).distinctPayments;
    return { target: `${sandbox.shopUrl}${path}`, paid };
  }

  it("before the payment was committed: nothing left and nothing is reserved, the same key pays afterwards", async () => {
    await points.stopAt("reserved");
    const { running, api } = await start();
    const { target, paid } = somethingNew();
    const key = { "idempotency-key": "before-reserved" };
    const call = api.fetch(target, {}, key).catch(() => null);
    await points.killWhenStopped(running);
    expect(await call).toBeNull();
    expect(await paid()).toEqual([]);
    expect(await rowOf("before-reserved")).toBeNull();
    await satchel.withDatabase(async (db) => {
      const budget = await db.prisma.budget.findUniqueOrThrow({ where: { id: payer.tokenId } });
      expect(budget.dayUsedMicroUsd).toBe(0n);
      expect(await auditLedger(db)).toEqual([]);
    });

    await endLeases();
    await within(async (service) => {
      const again = apiOf(service.baseUrl, payer.token);
      expect((await again.fetch(target, {}, key)).status).toBe(200);
    });
    expect(await paid()).toHaveLength(1);
  });

  it("before the signature of a permit was committed: nothing left, the reservation is given back, the same key pays afterwards", async () => {
    await points.stopAt("signed");
    const { running, api } = await start();
    const path = "/v1/upto/base-sepolia";
    const target = sandbox.shopUrl + path;
    const paid = async () => (await sandbox.observed(path)).distinctPayments;
    const key = { "idempotency-key": "before-signed" };
    const call = api.fetch(target, {}, key).catch(() => null);
    await points.killWhenStopped(running);
    expect(await call).toBeNull();
    expect(await paid()).toEqual([]);
    const row = await rowOf("before-signed");
    expect([row?.status, row?.signature]).toEqual(["reserved", null]);

    await within(async (service) => {
      await reconcileNow(service);
      expect((await paymentsOf(service, payer.accountId)).at(-1)?.status).toBe("released");
      const budget = await service.deps.db.prisma.budget.findUniqueOrThrow({ where: { id: payer.tokenId } });
      expect(budget.dayUsedMicroUsd).toBe(0n);
      expect(await auditLedger(service.deps.db)).toEqual([]);
      await endLeases();
      const answer = await apiOf(service.baseUrl, payer.token).fetch(target, {}, key);
      expect(answer.status).toBe(200);
      expect(await paid()).toHaveLength(1);
    });
  });

  it("after the payment was committed as signed, before anybody got it: the same key signs that very payment", async () => {
    await points.stopAt("answered");
    const { running, api } = await start();
    const { target } = somethingNew();
    const key = { "idempotency-key": "after-signed" };
    const call = api.sign(target, undefined, key).catch(() => null);
    await points.killWhenStopped(running);
    expect(await call).toBeNull();
    const row = await rowOf("after-signed");
    expect([row?.status, row?.signature]).toEqual(["signed", null]);

    await endLeases();
    const { status, json } = await within((service) =>
      apiOf(service.baseUrl, payer.token).sign(target, undefined, key),
    );
    expect([status, json.paymentId]).toEqual([200, row?.id]);
    const { nonce, validBefore } = json.paymentProof.payload.authorization;
    expect(row?.authorization).toMatchObject({ authorization: { nonce, validBefore } });
    const served = await fetch(target, { headers: { "x-payment": json.paymentHeader } });
    expect(served.status).toBe(200);
  });

  it("while withdrawing, before it reached the network: the money arrives once", async () => {
    const to = "0x00000000000000000000000000000000000c0ffe";
    const arrived = await usdcOf(chain, to);
    const mutation = `mutation { sendTokens(input: { network: "base-sepolia", to: "${to}", amount: "0.25", idempotencyKey: "send-1" }) {
      __typename ... on SendTokensSuccess { transaction { transactionId } } ... on Error { code message } } }`;
    // Signed and committed; the network answers nothing, so nothing is known of the broadcast.
    const deaf = await openDeafRpc(chain.rpcUrl);
    const { running, api } = await start({ RPC_URL_BASE_SEPOLIA: deaf.url });
    const call = api.graphql(mutation).catch(() => null);
    await deaf.reached;
    await running.kill();
    await deaf.close();
    expect(await call).toBeNull();
    expect((await rowOf("send-1"))?.status).toBe("signed");
    expect(await usdcOf(chain, to)).toBe(arrived);

    await within(async (service) => {
      await vi.waitFor(
        async () => {
          await reconcileNow(service);
          expect((await rowOf("send-1"))?.status).toBe("settled");
        },
        { timeout: 60_000, interval: 50 },
      );
      await endLeases();
      const { json } = await apiOf(service.baseUrl, payer.token).graphql(mutation);
      expect(json.data.sendTokens.__typename).toBe("SendTokensSuccess");
      await reconcileNow(service);
    });
    expect((await usdcOf(chain, to)) - arrived).toBe(250_000n);
  });

  it("under load, once the first, some or most were paid: each is paid at most once and the ledger equals the chain", async () => {
    const purchases: ({ key: string } & ReturnType<typeof somethingNew>)[] = [];
    for (const paidCount of [1, 4, 9]) {
      const { running, api } = await start();
      const begun = Array.from({ length: 12 }, (_, n) => ({ key: `load-${paidCount}-${n}`, ...somethingNew() }));
      purchases.push(...begun);
      const calls = begun.map(({ key, target }) => api.fetch(target, {}, { "idempotency-key": key }).catch(() => null));
      const countPaid = async () => (await Promise.all(begun.map(({ paid }) => paid()))).flat().length;
      await expect.poll(countPaid, { interval: 5 }).toBeGreaterThanOrEqual(paidCount);
      await running.kill();
      await Promise.all(calls);
    }
    // A client whose connection broke retries with the same key.
    await endLeases();
    await within(async (service) => {
      const api = apiOf(service.baseUrl, payer.token);
      const ask = async ({ key, target }: { key: string; target: string }) => {
        const answer = await api.fetch(target, {}, { "idempotency-key": key });
        // A payment that the seller accepted before the crash is refused as spent. No new one is created.
        expect([200, 402], answer.text).toContain(answer.status);
      };
      const unsettled = async () => {
        await reconcileNow(service);
        const rows = await paymentsOf(service, payer.accountId);
        const settled = new Set(rows.filter(({ status }) => status === "settled").map((row) => row.idempotencyKey));
        return purchases.filter(({ key }) => !settled.has(key));
      };
      for (const purchase of purchases) await ask(purchase);
      // One that the seller was still settling is refused at first, and retried with the same payment.
      await vi.waitFor(
        async () => {
          for (const purchase of await unsettled()) await ask(purchase);
          expect((await unsettled()).map(({ key }) => key)).toEqual([]);
        },
        { timeout: 60_000, interval: 50 },
      );
      for (const { key, paid } of purchases) expect(await paid(), key).toHaveLength(1);
      const rows = await paymentsOf(service, payer.accountId);
      const spent = rows.reduce((sum, row) => sum + (row.settledMicroUsd ?? 0n), 0n);
      expect(FUNDS - (await usdcOf(chain, payer.evmAddress))).toBe(spent);
      const budget = await service.deps.db.prisma.budget.findUniqueOrThrow({ where: { id: payer.tokenId } });
      expect(budget.dayUsedMicroUsd).toBe(spent);
      expect(await auditLedger(service.deps.db)).toEqual([]);
    });
  });

  it.each([
    ["settles-then-hangs", "settled"],
    ["hangs", "released"],
  ])("while the shop (%s) has the payment: the same key sends the same bytes, and it ends %s", async (fault, end) => {
    const key = `sent-${fault}`;
    const header = { "idempotency-key": key };
    const target = `${sandbox.shopUrl}/fault/${fault}?crash`;
    const observed = async () => (await sandbox.observed(`/fault/${fault}`)).distinctPayments.length;
    const before = await observed();
    const { running, api } = await start();
    const call = api.fetch(target, { timeout: 20_000 }, header).catch(() => null);
    await expect.poll(observed).toBe(before + 1);
    await running.kill();
    expect(await call).toBeNull();
    expect((await rowOf(key))?.status).toBe("signed");

    await endLeases();
    await within(async (service) => {
      const answer = await apiOf(service.baseUrl, payer.token).fetch(target, { timeout: 600 }, header);
      expect([answer.status, answer.json.error]).toEqual([500, "target_timeout"]);
      expect(answer.json.paymentId).toBe((await rowOf(key))?.id);
      expect(await observed()).toBe(before + 1);

      await goBackAfter(chain, async () => {
        await passTime(chain, 4_000);
        await reconcileNow(service);
      });
      const row = await rowOf(key);
      expect(row?.status).toBe(end);
      expect(FUNDS - (await usdcOf(chain, payer.evmAddress))).toBe(row?.settledMicroUsd ?? 0n);
      expect(await auditLedger(service.deps.db)).toEqual([]);
    });
  });
});
