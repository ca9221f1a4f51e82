// @module-tag postgresql
/** Process crashes during a payment: after a restart nothing is lost or paid twice, and every payment reaches a final status. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { SandboxNetwork } from "../../sandbox/endpoints.ts";
import type { Service } from "../../src/app/service.ts";
import { auditLedger } from "../../src/wallet/audit.ts";
import { type Api, createApiClient } from "../support/api.ts";
import { openSandbox, type TestSandbox } from "../support/sandbox.ts";
import { createSatchel, type Payer, type Satchel } from "../support/satchel.ts";
import type { SatchelProcess } from "../support/satchel-process.ts";
import { postgresqlUrl as server } from "../support/servers.ts";
import { createStopPoints, PAYMENT_POINTS, type StopPoints } from "../support/stop-points.ts";
import { openUnresponsiveRpc } from "../support/unresponsive-rpc.ts";
import { advanceChainTime, readUsdcBalance, withChainSnapshot } from "../support/usdc.ts";
import { listPayments, reconcileNow } from "./reconcile.ts";

const FUNDS = 5_000_000n;
/** Price of the next purchase. Unique in this file, to identify purchases in the seller's record. */
let nextPrice = 10_000n;

describe(`on ${server === null ? "PGlite" : "PostgreSQL"}, killed during a payment`, () => {
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
    points = await createStopPoints(satchel, { server, points: PAYMENT_POINTS });
    // Native coins only, for the network fees of withdrawals.
    await satchel.fundTreasury(0n);
  });
  beforeEach(async () => {
    payer = await satchel.payer({ usdcAtomic: FUNDS, tokenLimits: { dailyMicroUsd: FUNDS } });
  });
  afterEach(async () => {
    // Includes a process still starting when its test timed out, because it locks the data folder.
    await (await starting?.catch(() => null))?.kill();
    starting = null;
    // A failed test must not leave its stop point to the next one.
    await points.stopAt(null);
  });
  afterAll(async () => {
    await satchel?.remove();
    await sandbox?.stop();
  });

  async function start(env: Record<string, string> = {}): Promise<{ running: SatchelProcess; api: Api }> {
    starting = satchel.start(env);
    const running = await starting;
    return { running, api: createApiClient(running.baseUrl, payer.token) };
  }

  /** Starts the service in this process after a crash. A second process would need three times as long. */
  async function runWithService<Result>(use: (service: Service) => Promise<Result>): Promise<Result> {
    const service = await satchel.open();
    try {
      return await use(service);
    } finally {
      await service.stop();
    }
  }

  /** Expires the leases of idempotency keys whose process was killed, which frees the keys. */
  const endLeases = () =>
    satchel.withDatabase((db) => db.prisma.idempotencyRecord.updateMany({ data: { leasedUntil: new Date(0) } }));

  const findRow = (idempotencyKey: string) =>
    satchel.withDatabase((db) =>
      db.prisma.transaction.findFirst({ where: { accountId: payer.accountId, idempotencyKey } }),
    );

  /** Returns a resource at an unused price. */
  function newResource() {
    const path = `/v1/price/${nextPrice++}`;
    const paid = async () => (await sandbox.observed(path)).distinctPayments;
    return { target: `${sandbox.shopUrl}${path}`, paid };
  }

  it("reserves and sends nothing before the payment is committed, and pays on a retry with the key", async () => {
    await points.stopAt("reserved");
    const { running, api } = await start();
    const { target, paid } = newResource();
    const key = { "idempotency-key": "before-reserved" };
    const call = api.fetch(target, {}, key).catch(() => null);
    await points.killWhenStopped(running);
    expect(await call).toBeNull();
    expect(await paid()).toEqual([]);
    expect(await findRow("before-reserved")).toBeNull();
    await satchel.withDatabase(async (db) => {
      const budget = await db.prisma.budget.findUniqueOrThrow({ where: { id: payer.tokenId } });
      expect(budget.dayUsedMicroUsd).toBe(0n);
      expect(await auditLedger(db)).toEqual([]);
    });

    await endLeases();
    await runWithService(async (service) => {
      const again = createApiClient(service.baseUrl, payer.token);
      expect((await again.fetch(target, {}, key)).status).toBe(200);
    });
    expect(await paid()).toHaveLength(1);
  });

  it("sends nothing before the signature of a permit is committed, releases the reservation and pays on a retry", async () => {
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
    const row = await findRow("before-signed");
    expect([row?.status, row?.signature]).toEqual(["reserved", null]);

    await runWithService(async (service) => {
      await reconcileNow(service);
      expect((await listPayments(service, payer.accountId)).at(-1)?.status).toBe("released");
      const budget = await service.deps.db.prisma.budget.findUniqueOrThrow({ where: { id: payer.tokenId } });
      expect(budget.dayUsedMicroUsd).toBe(0n);
      expect(await auditLedger(service.deps.db)).toEqual([]);
      await endLeases();
      const response = await createApiClient(service.baseUrl, payer.token).fetch(target, {}, key);
      expect(response.status).toBe(200);
      expect(await paid()).toHaveLength(1);
    });
  });

  it("returns the same payment for the key after it is committed as signed but not returned", async () => {
    await points.stopAt("answered");
    const { running, api } = await start();
    const { target } = newResource();
    const key = { "idempotency-key": "after-signed" };
    const call = api.sign(target, undefined, key).catch(() => null);
    await points.killWhenStopped(running);
    expect(await call).toBeNull();
    const row = await findRow("after-signed");
    expect([row?.status, row?.signature]).toEqual(["signed", null]);

    await endLeases();
    const { status, json } = await runWithService((service) =>
      createApiClient(service.baseUrl, payer.token).sign(target, undefined, key),
    );
    expect([status, json.paymentId]).toEqual([200, row?.id]);
    const { nonce, validBefore } = json.paymentProof.payload.authorization;
    expect(row?.authorization).toMatchObject({ authorization: { nonce, validBefore } });
    const sellerResponse = await fetch(target, { headers: { "x-payment": json.paymentHeader } });
    expect(sellerResponse.status).toBe(200);
  });

  it("transfers once when killed before a withdrawal reaches the network", async () => {
    const to = "0x00000000000000000000000000000000000c0ffe";
    const arrived = await readUsdcBalance(chain, to);
    const mutation = `mutation { sendTokens(input: { network: "base-sepolia", to: "${to}", amount: "0.25", idempotencyKey: "send-1" }) {
      __typename ... on SendTokensSuccess { transaction { transactionId } } ... on Error { code message } } }`;
    // Signed and committed. The RPC endpoint never responds, so the broadcast is unconfirmed.
    const deaf = await openUnresponsiveRpc(chain.rpcUrl);
    const { running, api } = await start({ RPC_URL_BASE_SEPOLIA: deaf.url });
    const call = api.graphql(mutation).catch(() => null);
    await deaf.transactionReceived;
    await running.kill();
    await deaf.close();
    expect(await call).toBeNull();
    expect((await findRow("send-1"))?.status).toBe("signed");
    expect(await readUsdcBalance(chain, to)).toBe(arrived);

    await runWithService(async (service) => {
      await vi.waitFor(
        async () => {
          await reconcileNow(service);
          expect((await findRow("send-1"))?.status).toBe("settled");
        },
        { timeout: 60_000, interval: 50 },
      );
      await endLeases();
      const { json } = await createApiClient(service.baseUrl, payer.token).graphql(mutation);
      expect(json.data.sendTokens.__typename).toBe("SendTokensSuccess");
      await reconcileNow(service);
    });
    expect((await readUsdcBalance(chain, to)) - arrived).toBe(250_000n);
  });

  it("pays each of many concurrent requests at most once, and the ledger equals the chain", async () => {
    const purchases: ({ key: string } & ReturnType<typeof newResource>)[] = [];
    for (const paidCount of [1, 4, 9]) {
      const { running, api } = await start();
      const started = Array.from({ length: 12 }, (_, n) => ({ key: `load-${paidCount}-${n}`, ...newResource() }));
      purchases.push(...started);
      const calls = started.map(({ key, target }) =>
        api.fetch(target, {}, { "idempotency-key": key }).catch(() => null),
      );
      const countPaid = async () => (await Promise.all(started.map(({ paid }) => paid()))).flat().length;
      await expect.poll(countPaid, { interval: 5 }).toBeGreaterThanOrEqual(paidCount);
      await running.kill();
      await Promise.all(calls);
    }
    // A client whose connection broke retries with the same key.
    await endLeases();
    await runWithService(async (service) => {
      const api = createApiClient(service.baseUrl, payer.token);
      const retry = async ({ key, target }: { key: string; target: string }) => {
        const response = await api.fetch(target, {}, { "idempotency-key": key });
        // A payment that the seller accepted before the crash is rejected as spent. No new one is created.
        expect([200, 402], response.text).toContain(response.status);
      };
      const unsettled = async () => {
        await reconcileNow(service);
        const rows = await listPayments(service, payer.accountId);
        const settled = new Set(rows.filter(({ status }) => status === "settled").map((row) => row.idempotencyKey));
        return purchases.filter(({ key }) => !settled.has(key));
      };
      for (const purchase of purchases) await retry(purchase);
      // A payment that the seller is still settling is rejected at first and retried unchanged.
      await vi.waitFor(
        async () => {
          for (const purchase of await unsettled()) await retry(purchase);
          expect((await unsettled()).map(({ key }) => key)).toEqual([]);
        },
        { timeout: 120_000, interval: 50 },
      );
      for (const { key, paid } of purchases) expect(await paid(), key).toHaveLength(1);
      const rows = await listPayments(service, payer.accountId);
      const spent = rows.reduce((sum, row) => sum + (row.settledMicroUsd ?? 0n), 0n);
      expect(FUNDS - (await readUsdcBalance(chain, payer.evmAddress))).toBe(spent);
      const budget = await service.deps.db.prisma.budget.findUniqueOrThrow({ where: { id: payer.tokenId } });
      expect(budget.dayUsedMicroUsd).toBe(spent);
      expect(await auditLedger(service.deps.db)).toEqual([]);
    });
  });

  it.each([
    ["settles-then-hangs", "settled"],
    ["hangs", "released"],
  ])("sends the same payment on a retry while the seller (%s) has it, and ends as %s", async (fault, end) => {
    const key = `sent-${fault}`;
    const header = { "idempotency-key": key };
    const target = `${sandbox.shopUrl}/fault/${fault}?crash`;
    const countObserved = async () => (await sandbox.observed(`/fault/${fault}`)).distinctPayments.length;
    const before = await countObserved();
    const { running, api } = await start();
    const call = api.fetch(target, { timeout: 20_000 }, header).catch(() => null);
    await expect.poll(countObserved).toBe(before + 1);
    await running.kill();
    expect(await call).toBeNull();
    expect((await findRow(key))?.status).toBe("signed");

    await endLeases();
    await runWithService(async (service) => {
      const response = await createApiClient(service.baseUrl, payer.token).fetch(target, { timeout: 600 }, header);
      expect([response.status, response.json.error]).toEqual([500, "target_timeout"]);
      expect(response.json.paymentId).toBe((await findRow(key))?.id);
      expect(await countObserved()).toBe(before + 1);

      await withChainSnapshot(chain, async () => {
        await advanceChainTime(chain, 4_000);
        await reconcileNow(service);
      });
      const row = await findRow(key);
      expect(row?.status).toBe(end);
      expect(FUNDS - (await readUsdcBalance(chain, payer.evmAddress))).toBe(row?.settledMicroUsd ?? 0n);
      expect(await auditLedger(service.deps.db)).toEqual([]);
    });
  });
});
