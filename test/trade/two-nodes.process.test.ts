// @module-tag postgresql
/** Two nodes on one database: they share an account's trade limit, and one completes a trade the other left unfinished. */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { auditLedger } from "../../src/wallet/audit.ts";
import { openSandbox, type TestSandbox } from "../support/sandbox.ts";
import { createSatchel, type Payer, type Satchel } from "../support/satchel.ts";
import type { SatchelProcess } from "../support/satchel-process.ts";
import { postgresqlUrl, redisUrl } from "../support/servers.ts";
import { connectMarket, DAI, type Market, USDC } from "./market.ts";

const FUNDS = 1_000_000_000n;
const SOLD = 10_000_000n;

describe.skipIf(postgresqlUrl === null || redisUrl === null)("two nodes", () => {
  let sandbox: TestSandbox;
  let market: Market;
  let satchel: Satchel;
  const nodes: SatchelProcess[] = [];

  beforeAll(async () => {
    sandbox = await openSandbox(["base"]);
    market = connectMarket(sandbox);
    satchel = await createSatchel({
      sandbox,
      postgresql: postgresqlUrl,
      env: {
        DEX_URL: sandbox.dexUrl ?? "",
        DEX_API_KEY: "any",
        DEFAULT_NETWORK: "base",
        REDIS_URL: redisUrl ?? "",
        RECONCILE_INTERVAL_MS: "500",
      },
    });
    await satchel.withDatabase(async (db) => {
      // Stops a process that has sent a swap, before it records the swap as mined.
      await db.executeSql(`CREATE TABLE stop_here (pid int);
        CREATE FUNCTION stop_here() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          IF EXISTS (SELECT 1 FROM stop_here) THEN PERFORM pg_sleep(60); END IF;
          RETURN NEW; END $$;
        CREATE TRIGGER stop_before_mined BEFORE UPDATE ON evm_transactions FOR EACH ROW
          WHEN (NEW.status = 'mined' AND NEW.purpose = 'swap' AND OLD.status = 'signed') EXECUTE FUNCTION stop_here();`);
    });
    nodes.push(await satchel.start());
    nodes.push(await satchel.start());
  });
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.kill()));
    await satchel?.remove();
    await sandbox?.stop();
  });

  const trade = (node: SatchelProcess | undefined, { token }: Payer, buyToken: string, key?: string) =>
    fetch(`${node?.baseUrl}/api/trade`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-service-token": token,
        ...(key ? { "idempotency-key": key } : {}),
      },
      body: JSON.stringify({ sellToken: "USDC", buyToken, sellAmount: 10 }),
    });

  it("share the limit of thirty trades a minute", async () => {
    const payer = await satchel.payer();
    // An unknown token: counted and rejected.
    const responses = await Promise.all(Array.from({ length: 34 }, (_, n) => trade(nodes[n % 2], payer, "DOGE")));
    const refused = responses.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(4);
    expect(refused.map(({ headers }) => headers.get("ratelimit-limit"))).toEqual(["30", "30", "30", "30"]);
    expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  it("execute once a trade during which one of them was killed", async () => {
    const payer = await satchel.payer({ usdcAtomic: FUNDS });
    const [first, second] = nodes;
    await satchel.withDatabase((db) => db.executeSql("INSERT INTO stop_here VALUES (1)"));
    const call = trade(first, payer, "DAI", "half-done").catch(() => null);
    const sleeping = `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`;
    await vi.waitFor(
      async () => {
        const { rows } = await satchel.withDatabase((db) => db.executeSql(sleeping));
        expect((rows as { n: number }[])[0]?.n).toBeGreaterThan(0);
      },
      { timeout: 30_000, interval: 50 },
    );
    await first?.kill();
    expect(await call).toBeNull();
    await satchel.withDatabase((db) =>
      db.executeSql(`DELETE FROM stop_here;
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`),
    );
    // The other node completes it automatically.
    const rows = await vi.waitFor(
      () =>
        satchel.withDatabase(async ({ prisma }) => {
          const trades = await prisma.trade.findMany({
            where: { accountId: payer.accountId },
            include: { steps: true },
          });
          expect(trades.map(({ status }) => status)).toEqual(["settled"]);
          return trades;
        }),
      { timeout: 40_000, interval: 300 },
    );
    expect(rows[0]?.steps.map(({ status, nonce }) => [Number(nonce), status]).toSorted()).toEqual([
      [0, "mined"],
      [1, "mined"],
    ]);
    expect(await market.nonce(payer.evmAddress)).toBe(2);
    expect(await market.balance(USDC, payer.evmAddress)).toBe(FUNDS - SOLD);
    expect(await market.balance(DAI, payer.evmAddress)).toBe(BigInt(rows[0]?.boughtAtomic?.toFixed(0) ?? 0));
    await satchel.withDatabase(async (db) => {
      await db.prisma.idempotencyRecord.updateMany({ data: { leasedUntil: new Date(0) } });
      expect(await auditLedger(db)).toEqual([]);
    });
    const again = await trade(second, payer, "DAI", "half-done");
    expect([again.status, ((await again.json()) as { id: string }).id]).toEqual([200, rows[0]?.id]);
    expect(await market.nonce(payer.evmAddress)).toBe(2);
  });
});
