// @module-tag postgresql
/** A purchase token used concurrently at two processes, one of which may be killed: always one payment. */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { auditLedger } from "../../src/wallet/audit.ts";
import { createToken, readToken } from "../payments/purchase-token.ts";
import { createApiClient } from "../support/api.ts";
import { openSandbox, type TestSandbox } from "../support/sandbox.ts";
import { createSatchel, type Payer, type Satchel } from "../support/satchel.ts";
import type { SatchelProcess } from "../support/satchel-process.ts";
import { postgresqlUrl as server } from "../support/servers.ts";
import { createStopPoints, PAYMENT_POINTS, type StopPoints } from "../support/stop-points.ts";

describe.skipIf(server === null)("two processes on one PostgreSQL", () => {
  let sandbox: TestSandbox;
  let satchel: Satchel;
  let points: StopPoints;
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
    points = await createStopPoints(satchel, { server, points: PAYMENT_POINTS });
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
      createApiClient(other.baseUrl, token ?? "").graphql(query, variables),
  });
  const newToken = () => createToken(owner(), payer.token, { merchantUrl: sandbox.shopUrl });
  const readState = async (tokenId: string) => (await readToken(owner(), payer.token, tokenId)).status;

  /** Waits until the first process is blocked at its stop point, kills it and starts it again. */
  async function restartFirst(): Promise<void> {
    await points.killWhenStopped(one);
    one = await satchel.start();
  }

  it("fifty concurrent uses make one payment, which the seller receives once", async () => {
    const { token, tokenId } = await newToken();
    const apis = [one, other].map(({ baseUrl }) => createApiClient(baseUrl, token));
    const path = (index: number) => `/v1/price/${index % 3 === 0 ? 7_000 : 7_000 + index}`;
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) => apis[index % 2]?.fetch(sandbox.shopUrl + path(index))),
    );
    expect(responses.filter((response) => response?.status === 200)).toHaveLength(1);
    const rejected = responses.filter((response) => response?.status !== 200);
    expect(new Set(rejected.map((response) => response?.json.error))).toEqual(new Set(["purchase_token_used"]));
    const paths = [...new Set(Array.from({ length: 50 }, (_, index) => path(index)))];
    const observed = await Promise.all(paths.map((observedPath) => sandbox.observed(observedPath)));
    expect(observed.flatMap(({ distinctPayments }) => distinctPayments)).toHaveLength(1);
    const count = satchel.withDatabase((db) => db.prisma.transaction.count({ where: { budgetIds: { has: tokenId } } }));
    expect(await count).toBe(1);
    expect(await readState(tokenId)).toBe("CONSUMED");
  });

  it("leaves the token unused and sends nothing when killed before the payment is committed", async () => {
    const { token, tokenId } = await newToken();
    const target = `${sandbox.shopUrl}/v1/price/8001`;
    await points.stopAt("reserved");
    const call = createApiClient(one.baseUrl, token)
      .fetch(target, {}, { "idempotency-key": "killed-1" })
      .catch(() => null);
    await restartFirst();
    expect(await call).toBeNull();
    expect((await sandbox.observed("/v1/price/8001")).distinctPayments).toEqual([]);
    expect(await readState(tokenId)).toBe("UNUSED");
    expect((await createApiClient(other.baseUrl, token).fetch(target)).status).toBe(200);
    expect((await sandbox.observed("/v1/price/8001")).distinctPayments).toHaveLength(1);
  });

  it("pays once per key at either process when killed before the response is stored", async () => {
    const { token, tokenId } = await newToken();
    const target = `${sandbox.shopUrl}/fault/settles-then-drops-once?amount=8002`;
    await points.stopAt("answered");
    const key = { "idempotency-key": "killed-2" };
    const call = createApiClient(one.baseUrl, token)
      .fetch(target, {}, key)
      .catch(() => null);
    await restartFirst();
    await call;
    expect(await readState(tokenId)).toBe("CONSUMED");
    await satchel.withDatabase((db) => db.prisma.idempotencyRecord.updateMany({ data: { leasedUntil: new Date(0) } }));
    const again = await createApiClient(other.baseUrl, token).fetch(target, {}, key);
    const [row] = await satchel.withDatabase((db) =>
      db.prisma.transaction.findMany({ where: { budgetIds: { has: tokenId } } }),
    );
    expect([again.status, again.headers.get("x-satchel-payment-id")]).toEqual([200, row?.id]);
    expect((await createApiClient(one.baseUrl, token).fetch(target, {}, key)).text).toBe(again.text);
    expect((await createApiClient(one.baseUrl, token).fetch(target)).json.error).toBe("purchase_token_used");
    expect((await sandbox.observed("/fault/settles-then-drops-once")).distinctPayments).toHaveLength(1);
  });

  it("logs no token on either process and leaves a consistent ledger", async () => {
    const { token } = await newToken();
    await createApiClient(other.baseUrl, token).fetch(`${sandbox.shopUrl}/v1/price/8003`);
    await createApiClient(other.baseUrl, token).fetch(`${sandbox.shopUrl}/v1/price/8003?token=${token}`);
    await vi.waitFor(() => expect(other.output()).toContain("/api/x402/fetch"), { timeout: 5_000 });
    for (const { output } of [one, other]) expect(output()).not.toMatch(/satchel_pt_[0-9A-Za-z]/);
    expect(await satchel.withDatabase(auditLedger)).toEqual([]);
  });
});
