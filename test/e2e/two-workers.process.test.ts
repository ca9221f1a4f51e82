/** Eight orders on two workers: each is driven once, and all come to their end. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Buyer, SOCKS_MINOR } from "../checkout/dispatch/buyer.ts";
import { type Desk, openDesk } from "../checkout/dispatch/desk.ts";
import { startWorkerProcess, type WorkerProcess } from "../support/worker-process.ts";

/** Twice what both drive at once. */
const ORDERS = 8;
const END_MS = 240_000;

let desk: Desk;
let buyer: Buyer;
const workers: WorkerProcess[] = [];
beforeAll(async () => {
  desk = await openDesk({ CHECKOUT_TIMEOUT_MS: "900000" });
  buyer = await desk.openBuyer();
  await buyer.signPolicy({ dailyMaxMinor: 1_000_000, monthlyMaxMinor: 1_000_000 });
}, 120_000);
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.kill()));
  await desk?.stop();
});

it("share eight orders, and none of them twice", async () => {
  workers.push(startWorkerProcess(desk.stack.baseUrl), startWorkerProcess(desk.stack.baseUrl));
  // One that is still starting would leave all of so few to the other.
  const ready = () => workers.filter(({ written }) => written.text.includes("Checkout worker ready")).length;
  await expect.poll(ready, { timeout: END_MS }).toBe(2);
  const answers = await Promise.all(Array.from({ length: ORDERS }, () => buyer.dispatch(desk.socks())));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  const ids = answers.map(({ json }) => json.order_id as string);
  expect(new Set(ids).size).toBe(ORDERS);
  const { checkoutOrder } = desk.stack.service.deps.db.prisma;
  const left = () => checkoutOrder.count({ where: { id: { in: ids }, completedAt: null } });
  await expect.poll(left, { timeout: END_MS, interval: 500 }).toBe(0);
  const ended = await checkoutOrder.findMany({ where: { id: { in: ids } } });
  expect(ended.map(({ status, errorCode }) => [status, errorCode])).toEqual(ended.map(() => ["succeeded", null]));
  expect(new Set(ended.map(({ workerUrl }) => workerUrl)).size).toBe(2);
  expect(new Set(ended.map(({ merchantOrderNumber }) => merchantOrderNumber)).size).toBe(ORDERS);
  const answer = await fetch(`${desk.stack.sandbox?.adminUrl}/stores/harbour/charges`);
  const { charges } = (await answer.json()) as { charges: { amountMinor: number; cartId: string }[] };
  expect(charges.map(({ amountMinor }) => amountMinor)).toEqual(ended.map(() => SOCKS_MINOR));
  expect(new Set(charges.map(({ cartId }) => cartId)).size).toBe(ORDERS);
}, 300_000);
