/** Eight orders on two workers: each is driven once, and all succeed. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Buyer, SOCKS_MINOR } from "../checkout/dispatch/buyer.ts";
import { type DispatchFixture, openDispatchFixture } from "../checkout/dispatch/dispatch-fixture.ts";
import { startWorkerProcess, type WorkerProcess } from "../support/worker-process.ts";

/** Twice the combined concurrency of both workers. */
const ORDERS = 8;
const END_MS = 240_000;

let fixture: DispatchFixture;
let buyer: Buyer;
const workers: WorkerProcess[] = [];
beforeAll(async () => {
  fixture = await openDispatchFixture({ CHECKOUT_TIMEOUT_MS: "900000" });
  buyer = await fixture.openBuyer();
  await buyer.signPolicy({ dailyMaxMinor: 1_000_000, monthlyMaxMinor: 1_000_000 });
}, 120_000);
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.kill()));
  await fixture?.stop();
});

it("drives each of eight orders once across two workers", async () => {
  workers.push(startWorkerProcess(fixture.stack.baseUrl), startWorkerProcess(fixture.stack.baseUrl));
  // Both must be ready: otherwise one worker could claim all orders.
  const countReady = () => workers.filter(({ written }) => written.text.includes("Checkout worker ready")).length;
  await expect.poll(countReady, { timeout: END_MS }).toBe(2);
  const responses = await Promise.all(Array.from({ length: ORDERS }, () => buyer.dispatch(fixture.createDispatch())));
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
  const ids = responses.map(({ json }) => json.order_id as string);
  expect(new Set(ids).size).toBe(ORDERS);
  const { checkoutOrder } = fixture.stack.service.deps.db.prisma;
  const countPending = () => checkoutOrder.count({ where: { id: { in: ids }, completedAt: null } });
  await expect.poll(countPending, { timeout: END_MS, interval: 500 }).toBe(0);
  const ended = await checkoutOrder.findMany({ where: { id: { in: ids } } });
  expect(ended.map(({ status, errorCode }) => [status, errorCode])).toEqual(ended.map(() => ["succeeded", null]));
  expect(new Set(ended.map(({ workerUrl }) => workerUrl)).size).toBe(2);
  expect(new Set(ended.map(({ merchantOrderNumber }) => merchantOrderNumber)).size).toBe(ORDERS);
  const response = await fetch(`${fixture.stack.sandbox?.adminUrl}/stores/harbour/charges`);
  const { charges } = (await response.json()) as { charges: { amountMinor: number; cartId: string }[] };
  expect(charges.map(({ amountMinor }) => amountMinor)).toEqual(ended.map(() => SOCKS_MINOR));
  expect(new Set(charges.map(({ cartId }) => cartId)).size).toBe(ORDERS);
}, 300_000);
