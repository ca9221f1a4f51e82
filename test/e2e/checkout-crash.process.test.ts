// @module-tag postgresql
/** The service killed at every step of a checkout whose worker lives on: one charge at most, and each order ends as its step says. */
import { request } from "undici";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Service } from "../../src/app/service.ts";
import { type Buyer, openBuyer, SOCKS, SOCKS_MINOR } from "../checkout/dispatch/buyer.ts";
import { WORKER_TOKEN } from "../checkout/orders/worker.ts";
import { openSandbox, type TestSandbox } from "../support/sandbox.ts";
import { createSatchel, type Satchel } from "../support/satchel.ts";
import type { SatchelProcess } from "../support/satchel-process.ts";
import { postgresqlUrl as server } from "../support/servers.ts";
import { layStopPoints, type StopPoints } from "../support/stop-points.ts";
import { startWorkerProcess, type WorkerProcess } from "../support/worker-process.ts";

const END_MS = 120_000;
const UPDATE = "BEFORE UPDATE ON checkout_orders FOR EACH ROW WHEN";

describe(`on ${server === null ? "PGlite" : "PostgreSQL"}, killed`, () => {
  let sandbox: TestSandbox;
  let satchel: Satchel;
  let points: StopPoints;
  let worker: WorkerProcess;
  let buyer: Buyer;
  let dispatch: object;
  let port: number;
  let running: SatchelProcess | null = null;
  let service: Service | null = null;
  let words = 0;

  beforeAll(async () => {
    sandbox = await openSandbox([]);
    // Below those that connections are given: between two processes nobody takes it.
    port = 20_000 + Math.floor(Math.random() * 10_000);
    const harbour = sandbox.stores.find(({ name }) => name === "harbour");
    const place = { country: "GB", currency: "GBP", taxPolicy: "included", isTest: true, onboarded: true };
    const pool = [{ url: harbour?.url, name: "Harbour", shipsTo: harbour?.shipsTo, supportsPickup: true, ...place }];
    const checkout = { CHECKOUT_POOL: JSON.stringify(pool), CARD_SECURITY_CODE: "keep", WORKER_TOKEN };
    satchel = await createSatchel({ sandbox, postgresql: server, env: { ...checkout, CHECKOUT_WORKERS: "0" } });
    points = await layStopPoints(satchel, {
      server,
      points: {
        leased: `${UPDATE} (OLD.worker_url IS NULL AND NEW.worker_url IS NOT NULL)`,
        card: `${UPDATE} (OLD.card_released_at IS NULL AND NEW.card_released_at IS NOT NULL)`,
        submitted: `${UPDATE} (OLD.submitted_at IS NULL AND NEW.submitted_at IS NOT NULL)`,
        ended: `${UPDATE} (OLD.completed_at IS NULL AND NEW.completed_at IS NOT NULL)`,
      },
    });
    const prepared = await satchel.open();
    buyer = await openBuyer(prepared);
    await buyer.signPolicy();
    const { id } = await prepared.deps.db.prisma.merchant.findFirstOrThrow();
    const items = [{ sku: SOCKS, quantity: 2 }];
    const quote = await buyer.quote({ merchant_id: id, items });
    const [standard] = quote.json.fulfillment_options as { id: string }[];
    dispatch = { merchant_id: id, items, fulfillment_option_id: standard?.id, amount_minor: SOCKS_MINOR };
    await prepared.stop();
    worker = startWorkerProcess(`http://127.0.0.1:${port}`, { WORKER_CONCURRENCY: "1" });
  }, 120_000);
  afterEach(async () => {
    await running?.kill();
    running = null;
    await service?.stop();
    service = null;
    await points.stopAt(null);
  });
  afterAll(async () => {
    await worker?.kill();
    await satchel?.remove();
    await sandbox?.stop();
  });

  const start = async () => {
    running = await satchel.start({ PORT: String(port) });
    return running;
  };
  const ask = async (path: string, body?: object) => {
    const headers = { "content-type": "application/json", "x-service-token": buyer.token };
    const init = body ? ({ method: "POST", headers, body: JSON.stringify(body) } as const) : { headers };
    // A connection of its own: the one before may be to a service that was killed.
    const response = await request(`http://127.0.0.1:${port}${path}`, { ...init, reset: true });
    return (await response.body.json()) as Record<string, unknown>;
  };
  const chargesSoFar = async () => {
    const answer = await fetch(`${sandbox.adminUrl}/stores/harbour/charges`);
    return ((await answer.json()) as { charges: { amountMinor: number }[] }).charges;
  };

  it.each([
    { point: "leased", states: ["succeeded"], charged: 1 },
    { point: "card", states: ["worker_error"], charged: 0 },
    { point: "submitted", states: ["worker_error"], charged: 0 },
    // Its worker tells again what it knows, until the lease is over.
    { point: "ended", states: ["succeeded", "payment_unconfirmed"], charged: 1 },
  ])(
    "before it had committed $point",
    async ({ point, states, charged }) => {
      const before = await chargesSoFar();
      await points.stopAt(point);
      const first = await start();
      const said = { user_confirmation_text: `Yes (${++words})`, user_approved_at_iso: "2024-11-20T17:29:16Z" };
      const { order_id: id } = await ask("/api/autofill/dispatch", { ...dispatch, ...said });
      await points.killWhenStopped(first);
      // At the same address, in this process: the worker finds the service as it found the one that was killed.
      service = await satchel.open({ PORT: String(port) });
      const read = () => ask(`/api/autofill/orders/${id}`);
      await expect
        .poll(async () => (await read())["completed_at"], { timeout: END_MS, interval: 250 })
        .toEqual(expect.any(String));
      const order = await read();
      expect(states).toContain(order["status"]);
      const charges = (await chargesSoFar()).slice(before.length).map(({ amountMinor }) => amountMinor);
      expect(charges).toEqual(Array.from({ length: charged }, () => SOCKS_MINOR));
      const retryable = { succeeded: false, payment_unconfirmed: null, worker_error: true }[String(order["status"])];
      expect(order["retryable"]).toBe(retryable);
    },
    240_000,
  );
});
