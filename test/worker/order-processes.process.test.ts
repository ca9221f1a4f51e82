/** Orders in processes of their own: nothing of a card remains in memory, and the cardholder reaches the right order. */
import { afterAll, beforeAll, expect, it, vi } from "vitest";

import { addCard } from "../checkout/account-owner.ts";
import type { Buyer } from "../checkout/dispatch/buyer.ts";
import { type DispatchFixture, openDispatchFixture } from "../checkout/dispatch/dispatch-fixture.ts";
import { openStreamClient, type StreamClient, streamUrl } from "../checkout/live/stream-client.ts";
import { SESSION_COOKIE } from "../support/browser-client.ts";
import { countInMemory } from "../support/memory-search.ts";
import { listDescendants, readCommand } from "../support/processes.ts";
import { startWorkerProcess, type WorkerProcess } from "../support/worker-process.ts";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

/** Requires 3-D Secure; the code is 1234. */
const CHALLENGED = "4000002760003184";
const PAID = "4929420573595709";
const WAIT = { timeout: 120_000 };
const SCAN = { timeout: 30_000, interval: 500 };
const OWN_URL = "query ($id: ID!) { checkoutOrder(id: $id) { liveViewUrl } }";

let fixture: DispatchFixture;
let worker: WorkerProcess;
const clients: StreamClient[] = [];

beforeAll(async () => {
  fixture = await openDispatchFixture();
  worker = startWorkerProcess(fixture.stack.baseUrl);
});
afterAll(async () => {
  for (const { socket } of clients) socket.terminate();
  await worker?.kill();
  await fixture?.stop();
});

async function dispatch(buyer: Buyer, number: string): Promise<string> {
  const { cardId } = (await addCard(buyer, { number })).card;
  const { status, json } = await buyer.dispatch(fixture.createDispatch({ card_alias_id: cardId }));
  expect(status).toBe(200);
  return json.order_id;
}

async function openBuyer(): Promise<Buyer> {
  const buyer = await fixture.openBuyer();
  await buyer.signPolicy();
  return buyer;
}

async function watch({ visitor }: Buyer, orderId: string): Promise<StreamClient> {
  const { checkoutOrder } = await visitor.graphql(OWN_URL, { id: orderId });
  expect(checkoutOrder, "the order is no longer in progress").toMatchObject({ liveViewUrl: expect.any(String) });
  const cookie = `${SESSION_COOKIE}=${visitor.cookies.get(SESSION_COOKIE)}`;
  const url = streamUrl(fixture.stack.baseUrl, checkoutOrder.liveViewUrl);
  const client = openStreamClient(url, { cookie, origin: new URL(fixture.stack.baseUrl).origin });
  clients.push(client);
  return client;
}

/** Returns the occurrences by process, without those that have none. */
async function findInWorker(text: string): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const pid of [worker.pid, ...listDescendants(worker.pid)]) {
    const count = await countInMemory(pid, text);
    if (count > 0) found[`${pid} ${readCommand(pid).slice(0, 120)}`] = count;
  }
  return found;
}

const readStatus = async (id: string) => (await fixture.readOrder(id)).status;

it("no process of the worker has a card number after its order, and the worker's own never has one", async () => {
  const [holder, other] = [await openBuyer(), await openBuyer()];
  const paid = await dispatch(other, PAID);
  await expect.poll(() => readStatus(paid), WAIT).toBe("succeeded");
  // After the other order, because the cardholder has limited time.
  const held = await dispatch(holder, CHALLENGED);
  await expect.poll(async () => (await fixture.readOrder(held)).personNeededFor, WAIT).toBe("three_d_secure");

  await expect.poll(() => findInWorker(PAID), SCAN).toEqual({});
  // The scan finds the number of the order in progress, in its own process and browser.
  expect(Object.keys(await findInWorker(CHALLENGED)).length).toBeGreaterThan(0);
  expect(await countInMemory(worker.pid, CHALLENGED)).toBe(0);

  const owner = await watch(holder, held);
  await expect.poll(() => owner.pictures.length, WAIT).toBeGreaterThan(0);
  owner.send({ type: "text", text: "1234" });
  owner.send({ type: "key", event: "down", key: "Enter" });
  await expect.poll(() => readStatus(held), WAIT).toBe("succeeded");
  expect(await owner.closed).toMatchObject({ code: 1000 });
  await expect.poll(() => findInWorker(CHALLENGED), SCAN).toEqual({});
});
