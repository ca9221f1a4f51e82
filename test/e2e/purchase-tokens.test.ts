/** A purchase token used at two processes at once, and with one of them killed half way: one payment, whatever happens. */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { auditLedger } from "../../src/wallet/audit.ts";
import { createToken, shown } from "../payments/purchase-token.ts";
import { apiOf } from "../support/api.ts";
import { findPostgresql } from "../support/postgresql.ts";
import { openSandbox, type TestSandbox } from "../support/sandbox.ts";
import { createSatchel, type Payer, type Satchel } from "../support/satchel.ts";
import type { SatchelProcess } from "../support/satchel-process.ts";

const server = await findPostgresql();

describe.skipIf(server === null)("two processes on one PostgreSQL", () => {
  let sandbox: TestSandbox;
  let satchel: Satchel;
  let payer: Payer;
  let one: SatchelProcess;
  let other: SatchelProcess;

  beforeAll(async () => {
    sandbox = await openSandbox(["base-sepolia"]);
    satchel = await createSatchel({
      sandbox,
      postgresql: server,
      env: { RECONCILE_INTERVAL_MS: "500", LOG_LEVEL: "trace" },
    });
    await satchel.withDatabase(async (db) => {
      // Stops a process at a point of the test's choosing: the statement that commits a signature, or an answer, takes for ever.
      await db.executeSql(`CREATE TABLE stop_at (point text);
        CREATE FUNCTION stop_here() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          IF EXISTS (SELECT 1 FROM stop_at WHERE point = TG_ARGV[0]) THEN PERFORM pg_sleep(60); END IF;
          RETURN NEW; END $$;
        CREATE TRIGGER stop_before_signed BEFORE UPDATE ON transactions FOR EACH ROW
          WHEN (OLD.status = 'reserved' AND NEW.status = 'signed') EXECUTE FUNCTION stop_here('signed');
        CREATE TRIGGER stop_before_answered BEFORE UPDATE ON idempotency_records FOR EACH ROW
          WHEN (NEW.answer IS NOT NULL) EXECUTE FUNCTION stop_here('answered');`);
    });
    payer = await satchel.payer({ usdcAtomic: 5_000_000n });
    one = await satchel.start();
    other = await satchel.start();
  });
  afterAll(async () => {
    await Promise.all([one?.kill(), other?.kill()]);
    await satchel?.remove();
    await sandbox?.stop();
  });

  const owner = () => ({
    graphql: (token: string | null, query: string, variables?: object) =>
      apiOf(other.baseUrl, token ?? "").graphql(query, variables),
  });
  const newToken = () => createToken(owner(), payer.token, { merchantUrl: sandbox.shopUrl });
  const stateOf = async (tokenId: string) => (await shown(owner(), payer.token, tokenId)).state;
  const stopAt = (point: string | null) =>
    satchel.withDatabase((db) =>
      db.executeSql(`DELETE FROM stop_at; ${point ? `INSERT INTO stop_at VALUES ('${point}')` : ""}`),
    );
  const asleep = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'";

  /** Waits until the first process hangs where it was to be stopped, kills it, and starts it anew. */
  async function killOne(): Promise<void> {
    const hangs = async () => {
      const { rows } = await satchel.withDatabase((db) => db.executeSql(asleep));
      expect(rows).toHaveLength(1);
    };
    await vi.waitFor(hangs, { timeout: 15_000, interval: 50 });
    await one.kill();
    await stopAt(null);
    // The server finishes what its client has asked for: a broken connection is noticed at the next read.
    const end = asleep.replace("pid", "pg_terminate_backend(pid)");
    await satchel.withDatabase((db) => db.executeSql(end));
    one = await satchel.start();
  }

  it("fifty uses make one payment, which the shop sees once", async () => {
    const { token, tokenId } = await newToken();
    const apis = [one, other].map(({ baseUrl }) => apiOf(baseUrl, token));
    const path = (index: number) => `/v1/price/${index % 3 === 0 ? 7_000 : 7_000 + index}`;
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => apis[index % 2]?.fetch(sandbox.shopUrl + path(index))),
    );
    expect(answers.filter((answer) => answer?.status === 200)).toHaveLength(1);
    const refused = answers.filter((answer) => answer?.status !== 200);
    expect(new Set(refused.map((answer) => answer?.json.error))).toEqual(new Set(["purchase_token_used"]));
    const paths = [...new Set(Array.from({ length: 50 }, (_, index) => path(index)))];
    const observed = await Promise.all(paths.map((each) => sandbox.observed(each)));
    expect(observed.flatMap(({ distinctPayments }) => distinctPayments)).toHaveLength(1);
    const count = satchel.withDatabase((db) => db.prisma.transaction.count({ where: { budgetIds: { has: tokenId } } }));
    expect(await count).toBe(1);
    expect(await stateOf(tokenId)).toBe("CONSUMED");
  });

  it("killed before the signature was committed: nothing left, and the token is unused again", async () => {
    const { token, tokenId } = await newToken();
    const target = `${sandbox.shopUrl}/v1/price/8001`;
    await stopAt("signed");
    const call = apiOf(one.baseUrl, token)
      .fetch(target, {}, { "idempotency-key": "killed-1" })
      .catch(() => null);
    await killOne();
    expect(await call).toBeNull();
    expect((await sandbox.observed("/v1/price/8001")).distinctPayments).toEqual([]);
    // Nobody knows yet: another purchase is refused.
    expect(await stateOf(tokenId)).toBe("CONSUMED");
    expect((await apiOf(other.baseUrl, token).fetch(target)).json.error).toBe("purchase_token_used");
    await satchel.withDatabase((db) =>
      db.prisma.transaction.updateMany({ where: { purchaseTokenId: tokenId }, data: { nextCheckAt: new Date(0) } }),
    );
    await expect.poll(() => stateOf(tokenId), { timeout: 15_000 }).toBe("UNUSED");
    expect((await apiOf(other.baseUrl, token).fetch(target)).status).toBe(200);
    expect((await sandbox.observed("/v1/price/8001")).distinctPayments).toHaveLength(1);
  });

  it("killed after it was paid, before the answer was kept: the same key pays no second time, at either process", async () => {
    const { token, tokenId } = await newToken();
    const target = `${sandbox.shopUrl}/fault/settles-then-drops-once?amount=8002`;
    await stopAt("answered");
    const key = { "idempotency-key": "killed-2" };
    const call = apiOf(one.baseUrl, token)
      .fetch(target, {}, key)
      .catch(() => null);
    await killOne();
    await call;
    expect(await stateOf(tokenId)).toBe("CONSUMED");
    await satchel.withDatabase((db) => db.prisma.idempotencyRecord.updateMany({ data: { leasedUntil: new Date(0) } }));
    const again = await apiOf(other.baseUrl, token).fetch(target, {}, key);
    const [row] = await satchel.withDatabase((db) =>
      db.prisma.transaction.findMany({ where: { budgetIds: { has: tokenId } } }),
    );
    expect([again.status, again.headers.get("x-satchel-payment-id")]).toEqual([200, row?.id]);
    expect((await apiOf(one.baseUrl, token).fetch(target, {}, key)).text).toBe(again.text);
    expect((await apiOf(one.baseUrl, token).fetch(target)).json.error).toBe("purchase_token_used");
    expect((await sandbox.observed("/fault/settles-then-drops-once")).distinctPayments).toHaveLength(1);
  });

  it("no process writes a token down, and the ledger is whole", async () => {
    const { token } = await newToken();
    await apiOf(other.baseUrl, token).fetch(`${sandbox.shopUrl}/v1/price/8003`);
    await apiOf(other.baseUrl, token).fetch(`${sandbox.shopUrl}/v1/price/8003?token=${token}`);
    await vi.waitFor(() => expect(other.output()).toContain("/api/x402/fetch"), { timeout: 5_000 });
    for (const { output } of [one, other]) expect(output()).not.toMatch(/satchel_pt_[0-9A-Za-z]/);
    expect(await satchel.withDatabase(auditLedger)).toEqual([]);
  });
});
