/** A worker that runs beside the service ends with it, together with its orders' processes and their browsers. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { addCard } from "../checkout/account-owner.ts";
import { type Buyer, openBuyer, SOCKS, SOCKS_MINOR } from "../checkout/dispatch/buyer.ts";
import { isAlive, listProcessesOf, readCommand } from "../support/processes.ts";
import { openSandbox, type TestSandbox } from "../support/sandbox.ts";
import { createSatchel, type Satchel } from "../support/satchel.ts";
import type { SatchelProcess } from "../support/satchel-process.ts";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

/** On an idle machine within two seconds. A process that loads its modules notices it only afterwards. */
const GONE = { timeout: 30_000, interval: 50 };
const WAIT = { timeout: 60_000, interval: 50 };
/** Requires 3-D Secure, for which the order waits. */
const CHALLENGED = "4000002760003184";
/** Inherited by all processes of the worker. */
const temporary = mkdtempSync(join(tmpdir(), "b-"));

let sandbox: TestSandbox;
let satchel: Satchel;
let buyer: Buyer;
let dispatch: object;
let running: SatchelProcess | null = null;

beforeAll(async () => {
  sandbox = await openSandbox([]);
  const harbour = sandbox.stores.find(({ name }) => name === "harbour");
  const place = { country: "GB", currency: "GBP", taxPolicy: "included", isTest: true, onboarded: true };
  const pool = [{ url: harbour?.url, name: "Harbour", shipsTo: harbour?.shipsTo, supportsPickup: true, ...place }];
  const cards = { CHECKOUT_PROCESSORS: sandbox.cardProcessorUrl, CARD_SECURITY_CODE: "keep" };
  const env = { CHECKOUT_POOL: JSON.stringify(pool), ...cards, TMPDIR: temporary, WORKER_TOKEN: "w".repeat(32) };
  satchel = await createSatchel({ sandbox, postgresql: null, env });
  const prepared = await satchel.open();
  buyer = await openBuyer(prepared);
  await buyer.signPolicy();
  const { cardId } = (await addCard(buyer, { number: CHALLENGED })).card;
  const { id } = await prepared.deps.db.prisma.merchant.findFirstOrThrow();
  const items = [{ sku: SOCKS, quantity: 2 }];
  const quote = await buyer.quote({ merchant_id: id, items });
  const [standard] = quote.json.fulfillment_options as { id: string }[];
  dispatch = { merchant_id: id, items, fulfillment_option_id: standard?.id, amount_minor: SOCKS_MINOR };
  dispatch = { ...dispatch, card_alias_id: cardId, user_confirmation_text: "Yes" };
  await prepared.stop();
});
afterEach(async () => {
  for (const pid of listProcessesOf(temporary)) process.kill(pid, "SIGKILL");
  await running?.kill();
  running = null;
});
afterAll(async () => {
  await satchel?.remove();
  await sandbox?.stop();
  rmSync(temporary, { recursive: true, force: true, maxRetries: 5 });
});

async function start(): Promise<SatchelProcess> {
  running = await satchel.start({ CHECKOUT_WORKERS: "1" });
  return running;
}

/** Returns the processes beside the service. */
const listOthers = ({ pid }: SatchelProcess) => listProcessesOf(temporary).filter((other) => other !== pid);
const listCommands = (service: SatchelProcess) => listOthers(service).map(readCommand);
const isBrowser = (command: string) => command.includes("--remote-debugging-pipe");

async function killAndExpectEnd(service: SatchelProcess): Promise<void> {
  const before = listOthers(service);
  expect(before.length).toBeGreaterThan(0);
  // `service.kill()` would also wait for the worker, which shares its standard error.
  process.kill(service.pid, "SIGKILL");
  const listRemaining = () => [...new Set([...before.filter(isAlive), ...listOthers(service)])];
  await expect.poll(() => listRemaining().map(readCommand), GONE).toEqual([]);
}

it.each([
  ["the worker starts", (commands: string[]) => commands.some((one) => one.includes("checkout-worker"))],
  ["an order's process starts", (commands: string[]) => commands.some((one) => one.includes("checkout-order"))],
  ["a browser starts", (commands: string[]) => commands.some(isBrowser)],
])("ends with the service, killed when %s", async (_name, isReached) => {
  const service = await start();
  await expect.poll(() => isReached(listCommands(service)), WAIT).toBe(true);
  await killAndExpectEnd(service);
});

it("ends with the service, killed while idle and during an order", async () => {
  const idle = await start();
  // A spare process with its browser and the browser's own processes.
  await expect.poll(() => listCommands(idle).filter((one) => one.includes("--type=")).length, WAIT).toBeGreaterThan(1);
  await killAndExpectEnd(idle);

  const busy = await start();
  const headers = { "content-type": "application/json", "x-service-token": buyer.token };
  const body = JSON.stringify({ ...dispatch, user_approved_at_iso: new Date().toISOString() });
  const response = await fetch(`${busy.baseUrl}/api/autofill/dispatch`, { method: "POST", headers, body });
  const { order_id: id } = (await response.json()) as { order_id: string };
  const path = `${busy.baseUrl}/api/autofill/orders/${id}`;
  const readOrder = async () => await (await fetch(path, { headers })).text();
  await expect.poll(readOrder, WAIT).toContain("three_d_secure");
  await killAndExpectEnd(busy);
});

it("ends with a killed worker", async () => {
  const service = await start();
  await expect.poll(() => listCommands(service).some(isBrowser), WAIT).toBe(true);
  const before = listOthers(service);
  const worker = before.find((pid) => readCommand(pid).includes("checkout-worker")) ?? 0;
  process.kill(worker, "SIGKILL");
  // The service starts another worker, with processes of its own.
  await expect.poll(() => before.filter(isAlive), GONE).toEqual([]);
});
