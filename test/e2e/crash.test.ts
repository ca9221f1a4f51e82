/** A process killed at any point: after a restart nothing is lost, nothing is paid twice, and all that was promised ends. */
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { SandboxNetwork } from "../../sandbox/endpoints.ts";
import { auditLedger } from "../../src/wallet/audit.ts";
import { type Api, apiOf } from "../support/api.ts";
import { openDeafRpc } from "../support/deaf-rpc.ts";
import { openSandbox, type TestSandbox } from "../support/sandbox.ts";
import { createSatchel, type Payer, type Satchel } from "../support/satchel.ts";
import type { SatchelProcess } from "../support/satchel-process.ts";
import { postgresqlUrl as server } from "../support/servers.ts";
import { passTime, usdcOf } from "../support/usdc.ts";
import { paymentsOf, reconcileNow } from "./settle.ts";

const FUNDS = 5_000_000n;
const PRICE = 10_000n;

describe(`on ${server === null ? "PGlite" : "PostgreSQL"}, killed`, () => {
  let sandbox: TestSandbox;
  let chain: SandboxNetwork;
  let satchel: Satchel;
  let payer: Payer;
  let running: SatchelProcess | null = null;

  beforeAll(async () => {
    sandbox = await openSandbox(["base-sepolia"]);
    chain = sandbox.networks["base-sepolia"] as SandboxNetwork;
    satchel = await createSatchel({ sandbox, postgresql: server });
    await satchel.withDatabase(async (db) => {
      // Stops the process at a point of the test's choosing: the statement that commits a signature, or an answer, takes for ever.
      await db.executeSql(`CREATE TABLE stop_at (point text);
        CREATE FUNCTION stop_here() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          IF EXISTS (SELECT 1 FROM stop_at WHERE point = TG_ARGV[0]) THEN PERFORM pg_sleep(60); END IF;
          RETURN NEW; END $$;
        CREATE TRIGGER stop_before_signed BEFORE UPDATE ON transactions FOR EACH ROW
          WHEN (OLD.status = 'reserved' AND NEW.status = 'signed') EXECUTE FUNCTION stop_here('signed');
        CREATE TRIGGER stop_before_answered BEFORE UPDATE ON idempotency_records FOR EACH ROW
          WHEN (NEW.answer IS NOT NULL) EXECUTE FUNCTION stop_here('answered');`);
    });
    payer = await satchel.payer({ usdcAtomic: FUNDS, tokenLimits: { dailyMicroUsd: FUNDS } });
    // Of its coins alone: it pays the network's fee for withdrawals.
    await satchel.fundTreasury(0n);
  });
  afterEach(async () => {
    await running?.kill();
    running = null;
    // A test that failed half way must not stop the next one where it stands.
    await stopAt(null);
  });
  afterAll(async () => {
    await satchel?.remove();
    await sandbox?.stop();
  });

  const stopAt = (point: string | null) =>
    satchel.withDatabase((db) =>
      db.executeSql(`DELETE FROM stop_at; ${point ? `INSERT INTO stop_at VALUES ('${point}')` : ""}`),
    );

  async function start(): Promise<Api> {
    running = await satchel.start();
    return apiOf(running.baseUrl, payer.token);
  }

  /** Waits until the process hangs in the statement it was to be stopped at, then kills it. */
  async function killWhenStopped(): Promise<void> {
    const hangs = async () => {
      if (server === null) {
        // The embedded database runs in the process itself: while it sleeps nothing else does.
        const health = fetch(`${running?.baseUrl}/health/live`, { signal: AbortSignal.timeout(2_000) });
        await expect(health).rejects.toThrow();
        return;
      }
      const sleeping =
        "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'";
      const { rows } = await satchel.withDatabase((db) => db.executeSql(sleeping));
      expect(rows).toEqual([{ n: 1 }]);
    };
    await vi.waitFor(hangs, { timeout: 30_000, interval: 50 });
    await running?.kill();
    running = null;
    await stopAt(null);
    if (server !== null) {
      // The server finishes, or not, what its client has asked for: a broken connection is noticed at the next read.
      const end =
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'";
      await satchel.withDatabase((db) => db.executeSql(end));
    }
  }

  /** A key whose first request died with its process is free again once its lease has run out. */
  const endLeases = () =>
    satchel.withDatabase((db) => db.prisma.idempotencyRecord.updateMany({ data: { leasedUntil: new Date(0) } }));

  const rowOf = (idempotencyKey: string) =>
    satchel.withDatabase((db) =>
      db.prisma.transaction.findFirst({ where: { accountId: payer.accountId, idempotencyKey } }),
    );

  const url = (fault: string, query: string) => `${sandbox.shopUrl}/fault/${fault}?${query}`;

  it("before the signature was committed: nothing left, the reservation is given back, the same key pays afterwards", async () => {
    await stopAt("signed");
    const api = await start();
    const target = `${sandbox.shopUrl}/v1/price/101`;
    const call = api.fetch(target, {}, { "idempotency-key": "before-signed" }).catch(() => null);
    await killWhenStopped();
    expect(await call).toBeNull();
    expect((await sandbox.observed("/v1/price/101")).distinctPayments).toEqual([]);
    const row = await rowOf("before-signed");
    expect([row?.status, row?.signature]).toEqual(["reserved", null]);

    const service = await satchel.open();
    try {
      await reconcileNow(service);
      expect((await paymentsOf(service, payer.accountId)).at(-1)?.status).toBe("released");
      const budget = await service.deps.db.prisma.budget.findUniqueOrThrow({ where: { id: payer.tokenId } });
      expect(budget.dayUsedMicroUsd).toBe(0n);
      expect(await auditLedger(service.deps.db)).toEqual([]);
      await endLeases();
      const again = apiOf(service.baseUrl, payer.token);
      const answer = await again.fetch(target, {}, { "idempotency-key": "before-signed" });
      expect(answer.status).toBe(200);
      expect((await sandbox.observed("/v1/price/101")).distinctPayments).toHaveLength(1);
    } finally {
      await service.stop();
    }
  });

  it("after the signature was committed, before anybody got it: the same key gives that very signature", async () => {
    await stopAt("answered");
    const api = await start();
    const target = `${sandbox.shopUrl}/v1/price/102`;
    const call = api.sign(target, undefined, { "idempotency-key": "after-signed" }).catch(() => null);
    await killWhenStopped();
    expect(await call).toBeNull();
    const row = await rowOf("after-signed");
    expect(row?.status).toBe("signed");

    await endLeases();
    const again = await start();
    const { status, json } = await again.sign(target, undefined, { "idempotency-key": "after-signed" });
    expect([status, json.paymentId, json.paymentProof.payload.signature]).toEqual([200, row?.id, row?.signature]);
    const served = await fetch(target, { headers: { "x-payment": json.paymentHeader } });
    expect(served.status).toBe(200);
  });

  it.each([
    ["settles-then-hangs", "settled"],
    ["hangs", "released"],
  ])("while the shop (%s) has the payment: the same key sends the same bytes, and it ends %s", async (fault, _end) => {
    const key = { "idempotency-key": `sent-${fault}` };
    const api = await start();
    const target = url(fault, "crash");
    const call = api.fetch(target, { timeout: 20_000 }, key).catch(() => null);
    await vi.waitFor(async () => expect((await sandbox.observed(`/fault/${fault}`)).distinctPayments).toHaveLength(1), {
      timeout: 20_000,
    });
    await running?.kill();
    expect(await call).toBeNull();
    expect((await rowOf(`sent-${fault}`))?.status).toBe("signed");

    await endLeases();
    const again = await start();
    const answer = await again.fetch(target, { timeout: 600 }, key);
    expect([answer.status, answer.json.error]).toEqual([500, "target_timeout"]);
    await running?.kill();
    expect(answer.json.paymentId).toBe((await rowOf(`sent-${fault}`))?.id);
    expect((await sandbox.observed(`/fault/${fault}`)).distinctPayments).toHaveLength(1);
  });

  it("while withdrawing, before it reached the network: the money arrives once", async () => {
    const to = "0x00000000000000000000000000000000000c0ffe";
    const arrived = await usdcOf(chain, to);
    const mutation = `mutation { sendTokens(input: { network: "base-sepolia", to: "${to}", amount: "0.25", idempotencyKey: "send-1" }) {
      __typename ... on SendTokensSuccess { transaction { transactionId } } ... on Error { code message } } }`;
    // Signed and committed; the network answers nothing, so nothing is known of the broadcast.
    const deaf = await openDeafRpc(chain.rpcUrl);
    running = await satchel.start({ RPC_URL_BASE_SEPOLIA: deaf.url });
    const call = apiOf(running.baseUrl, payer.token)
      .graphql(mutation)
      .catch(() => null);
    await deaf.reached;
    await running.kill();
    await deaf.close();
    expect(await call).toBeNull();
    expect((await rowOf("send-1"))?.status).toBe("signed");
    expect(await usdcOf(chain, to)).toBe(arrived);

    const service = await satchel.open();
    try {
      await vi.waitFor(
        async () => {
          await reconcileNow(service);
          expect((await rowOf("send-1"))?.status).toBe("settled");
        },
        { timeout: 10_000, interval: 50 },
      );
      await endLeases();
      const { json } = await apiOf(service.baseUrl, payer.token).graphql(mutation);
      expect(json.data.sendTokens.__typename).toBe("SendTokensSuccess");
      await reconcileNow(service);
    } finally {
      await service.stop();
    }
    expect((await usdcOf(chain, to)) - arrived).toBe(250_000n);
  });

  it("at random moments under load: every purchase is paid at most once and the ledger equals the chain", async () => {
    const keys: { key: string; price: bigint }[] = [];
    const killedAfterMs: number[] = [];
    for (let round = 0; round < 3; round++) {
      const api = await start();
      const calls = Array.from({ length: 12 }, (_, n) => {
        const key = `random-${round}-${n}`;
        const price = PRICE + BigInt(round * 100 + n);
        keys.push({ key, price });
        return api.fetch(`${sandbox.shopUrl}/v1/price/${price}`, {}, { "idempotency-key": key }).catch(() => null);
      });
      const killAfterMs = Math.floor(Math.random() * 500);
      killedAfterMs.push(killAfterMs);
      await new Promise((resolve) => setTimeout(resolve, killAfterMs));
      await running?.kill();
      await Promise.all(calls);
    }
    // What a caller does whose connection broke: asks again with the same key.
    await endLeases();
    const service = await satchel.open();
    try {
      const api = apiOf(service.baseUrl, payer.token);
      for (const { key, price } of keys) {
        const answer = await api.fetch(`${sandbox.shopUrl}/v1/price/${price}`, {}, { "idempotency-key": key });
        // A payment that the shop took before the crash is refused as spent; it is never made anew.
        expect([200, 402], answer.text).toContain(answer.status);
        const { distinctPayments } = await sandbox.observed(`/v1/price/${price}`);
        expect(distinctPayments, `${key}, killed after ${killedAfterMs} ms`).toHaveLength(1);
      }
      await reconcileNow(service);
      const rows = await paymentsOf(service, payer.accountId);
      const byKey = new Map(rows.map((row) => [row.idempotencyKey, row]));
      expect(keys.map(({ key }) => [key, byKey.get(key)?.status])).toEqual(keys.map(({ key }) => [key, "settled"]));
      expect(await auditLedger(service.deps.db)).toEqual([]);
    } finally {
      await service.stop();
    }
  });

  // Moves the chain's clock: nothing can be paid after it.
  it("or not: what nobody took is released in the end, and what was taken is what the chain took", async () => {
    const service = await satchel.open();
    try {
      await passTime(chain, 4_000);
      await reconcileNow(service);
      const rows = await paymentsOf(service, payer.accountId);
      expect(rows.filter(({ status }) => status !== "settled" && status !== "released")).toEqual([]);
      const byKey = new Map(rows.map((row) => [row.idempotencyKey, row.status]));
      expect([byKey.get("sent-settles-then-hangs"), byKey.get("sent-hangs")]).toEqual(["settled", "released"]);
      const spent = rows
        .filter(({ status }) => status === "settled")
        .reduce((sum, row) => sum + (row.settledMicroUsd ?? 0n), 0n);
      expect(FUNDS - (await usdcOf(chain, payer.evmAddress))).toBe(spent);
      const budget = await service.deps.db.prisma.budget.findUniqueOrThrow({ where: { id: payer.tokenId } });
      expect(budget.dayUsedMicroUsd).toBe(spent);
      expect(await auditLedger(service.deps.db)).toEqual([]);
    } finally {
      await service.stop();
    }
  });
});
