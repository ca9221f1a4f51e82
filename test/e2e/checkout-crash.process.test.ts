// @module-tag postgresql
/** Service crashes at each step of a checkout while the worker runs on: at most one charge and a defined status per step. */
import { request } from "undici";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Service } from "../../src/app/service.ts";
import { type Buyer, openBuyer, SOCKS, SOCKS_MINOR } from "../checkout/dispatch/buyer.ts";
import { WORKER_TOKEN } from "../checkout/orders/worker-client.ts";
import { openSandbox, type TestSandbox } from "../support/sandbox.ts";
import { createSatchel, type Satchel } from "../support/satchel.ts";
import type { SatchelProcess } from "../support/satchel-process.ts";
import { postgresqlUrl as server } from "../support/servers.ts";
import { createStopPoints, type StopPoints } from "../support/stop-points.ts";
import { startWorkerProcess, type WorkerProcess } from "../support/worker-process.ts";

const END_MS = 120_000;
const UPDATE = "BEFORE UPDATE ON checkout_orders FOR EACH ROW WHEN";

describe(`on ${server === null ? "PGlite" : "PostgreSQL"}, killed during a checkout`, () => {
  let sandbox: TestSandbox;
  let satchel: Satchel;
  let points: StopPoints;
  let worker: WorkerProcess;
  let buyer: Buyer;
  let dispatch: object;
  let port: number;
  let running: SatchelProcess | null = null;
  let service: Service | null = null;
  let confirmationCount = 0;

  beforeAll(async () => {
    sandbox = await openSandbox([]);
    // Below the ephemeral port range, so no other socket gets the port between two processes.
    port = 20_000 + Math.floor(Math.random() * 10_000);
    const harbour = sandbox.stores.find(({ name }) => name === "harbour");
    const place = { country: "GB", currency: "GBP", taxPolicy: "included", isTest: true, onboarded: true };
    const pool = [{ url: harbour?.url, name: "Harbour", shipsTo: harbour?.shipsTo, supportsPickup: true, ...place }];
    const cards = { CHECKOUT_PROCESSORS: sandbox.cardProcessorUrl, CARD_SECURITY_CODE: "keep" };
    const checkout = { CHECKOUT_POOL: JSON.stringify(pool), ...cards, WORKER_TOKEN };
    satchel = await createSatchel({ sandbox, postgresql: server, env: { ...checkout, CHECKOUT_WORKERS: "0" } });
    points = await createStopPoints(satchel, {
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
  const call = async (path: string, body?: object) => {
    const headers = { "content-type": "application/json", "x-service-token": buyer.token };
    const init = body ? ({ method: "POST", headers, body: JSON.stringify(body) } as const) : { headers };
    // A new connection, because a pooled one may belong to the killed service.
    const response = await request(`http://127.0.0.1:${port}${path}`, { ...init, reset: true });
    return (await response.body.json()) as Record<string, unknown>;
  };
  const listCharges = async () => {
    const chargesResponse = await fetch(`${sandbox.adminUrl}/stores/harbour/charges`);
    return ((await chargesResponse.json()) as { charges: { amountMinor: number }[] }).charges;
  };

  it.each([
    { point: "leased", states: ["succeeded"], charged: 1 },
    { point: "card", states: ["worker_error"], charged: 0 },
    { point: "submitted", states: ["worker_error"], charged: 0 },
    // The worker repeats its report until the lease expires.
    { point: "ended", states: ["succeeded", "payment_unconfirmed"], charged: 1 },
  ])(
    "ends with at most one charge when killed before the commit of $point",
    async ({ point, states, charged }) => {
      const before = await listCharges();
      await points.stopAt(point);
      const first = await start();
      const confirmation = {
        user_confirmation_text: `Yes (${++confirmationCount})`,
        user_approved_at_iso: "2024-11-20T17:29:16Z",
      };
      const { order_id: id } = await call("/api/autofill/dispatch", { ...dispatch, ...confirmation });
      await points.killWhenStopped(first);
      // The replacement runs in this process on the same port, so the worker reconnects to it.
      service = await satchel.open({ PORT: String(port) });
      const read = () => call(`/api/autofill/orders/${id}`);
      await expect
        .poll(async () => (await read())["completed_at"], { timeout: END_MS, interval: 250 })
        .toEqual(expect.any(String));
      const order = await read();
      expect(states).toContain(order["status"]);
      const charges = (await listCharges()).slice(before.length).map(({ amountMinor }) => amountMinor);
      expect(charges).toEqual(Array.from({ length: charged }, () => SOCKS_MINOR));
      const retryable = { succeeded: false, payment_unconfirmed: null, worker_error: true }[String(order["status"])];
      expect(order["retryable"]).toBe(retryable);
    },
    240_000,
  );
});
