// @module-tag postgresql
/**
 * A node killed after it sent a payment, before the response: the next request continues the payment, at another node or after a
 * restart.
 */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { auditLedger } from "../../src/wallet/audit.ts";
import { openTarget, respondWith402 } from "../payments/purchase-token.ts";
import { createApiClient } from "../support/api.ts";
import { openSandbox, type TestSandbox } from "../support/sandbox.ts";
import { createSatchel, type Payer, type Satchel } from "../support/satchel.ts";
import type { SatchelProcess } from "../support/satchel-process.ts";
import { postgresqlUrl as server } from "../support/servers.ts";

let sandbox: TestSandbox;
let satchel: Satchel;
let payer: Payer;
let running: SatchelProcess[] = [];

beforeAll(async () => {
  sandbox = await openSandbox(["base-sepolia"]);
  satchel = await createSatchel({ sandbox, postgresql: server });
  payer = await satchel.payer({ usdcAtomic: 5_000_000n });
});
afterAll(async () => {
  await Promise.all(running.map((node) => node.kill()));
  await satchel?.remove();
  await sandbox?.stop();
});

/** Sends a request to a node that is killed when the seller has the payment. Returns the seller and the next node's client. */
async function killDuringPurchase(headers: Record<string, string>) {
  let isWell = false;
  const seller = await openTarget((_request, response, isPaid) => {
    if (!isPaid) respondWith402(response, { asset: sandbox.networks["base-sepolia"]?.usdc });
    else if (isWell) response.end("sold");
  });
  const node = await satchel.start();
  const other = server === null ? null : await satchel.start();
  const call = createApiClient(node.baseUrl, payer.token)
    .fetch(seller.origin, {}, headers)
    .catch(() => null);
  await expect.poll(() => seller.payments.length, { timeout: 20_000 }).toBe(1);
  await node.kill();
  isWell = true;
  const next = async () => {
    const alive = other ?? (await satchel.start());
    running = [alive];
    return createApiClient(alive.baseUrl, payer.token);
  };
  expect(await call).toBeNull();
  return { seller, next };
}

/** Waits until the lease of the killed node's attempt has expired. */
const waitForLease = () =>
  expect
    .poll(
      () =>
        satchel.withDatabase((db) =>
          db.prisma.transaction.count({ where: { accountId: payer.accountId, attemptUntil: { gt: new Date() } } }),
        ),
      { timeout: 10_000, interval: 100 },
    )
    .toBe(0);
const stopRunning = async () => {
  await Promise.all(running.map((node) => node.kill()));
  running = [];
};

it("without a key: an equal request sends the same payment once the lease of the attempt has expired", async () => {
  const { seller, next } = await killDuringPurchase({});
  await waitForLease();
  const api = await next();
  expect((await api.fetch(seller.origin)).text).toBe("sold");
  expect(new Set(seller.payments).size).toBe(1);
  expect((await api.fetch(seller.origin)).text).toBe("sold");
  expect(new Set(seller.payments).size).toBe(2);
  await stopRunning();
});

it("with a key: the key returns the response within seconds, while the authorization is valid", async () => {
  const key = { "idempotency-key": randomUUID() };
  const { seller, next } = await killDuringPurchase(key);
  const api = await next();
  // Less than the 60 seconds for which the payment is valid.
  await expect.poll(async () => (await api.fetch(seller.origin, {}, key)).text, { timeout: 20_000 }).toBe("sold");
  expect(new Set(seller.payments).size).toBe(1);
  await stopRunning();
  expect(await satchel.withDatabase(auditLedger)).toEqual([]);
});
