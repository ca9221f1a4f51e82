/** Orders of one account that are held in 3-D Secure do not block the purchase of another account. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createLogger } from "../../src/platform/observability/logger.ts";
import { driveCheckout } from "../../src/worker/checkout/drive-checkout.ts";
import { loadWorkerConfig } from "../../src/worker/config.ts";
import { inThisProcess } from "../../src/worker/this-process.ts";
import { startWorker, type Worker } from "../../src/worker/worker.ts";
import { addCard } from "../checkout/account-owner.ts";
import type { Buyer } from "../checkout/dispatch/buyer.ts";
import { type DispatchFixture, openDispatchFixture } from "../checkout/dispatch/dispatch-fixture.ts";
import { WORKER_TOKEN } from "../checkout/orders/worker-client.ts";

const CHECKOUT = { timeout: 90_000 };
const CHALLENGED_CARD = "4000 0027 6000 3184";

let fixture: DispatchFixture;
let worker: Worker;
/** The worker's pages by order. */
const pages = new Map<string, Page>();

beforeAll(async () => {
  fixture = await openDispatchFixture();
  worker = await startWorker({
    config: loadWorkerConfig({
      ...{ SERVICE_URL: fixture.stack.baseUrl, EGRESS_ALLOW_LOOPBACK: "1", WORKER_CONCURRENCY: "2" },
    }),
    token: WORKER_TOKEN,
    logger: createLogger("silent"),
    orders: inThisProcess({
      purchase(session) {
        pages.set(session.job.orderId, session.page);
        return driveCheckout(session);
      },
      exploration: async () => ({ cause: "exploration_failed" }),
      dryRun: async () => ({ cause: "exploration_failed" }),
    }),
  });
}, 180_000);
afterAll(async () => {
  // Ends the challenges that a failed test left, for which the worker would wait.
  await Promise.all([...pages.values()].map((page) => page.context().close()));
  await worker?.stop();
  await fixture?.stop();
});

async function openBuyer(): Promise<Buyer> {
  const buyer = await fixture.openBuyer();
  await buyer.signPolicy();
  return buyer;
}

async function dispatch(buyer: Buyer, more: object = {}): Promise<string> {
  const { status, json } = await buyer.dispatch(fixture.createDispatch(more));
  expect(status).toBe(200);
  return json.order_id;
}

const waitForStatus = (id: string, status: string) =>
  expect.poll(async () => (await fixture.readOrder(id)).status, CHECKOUT).toBe(status);
const waitForChallenge = (id: string) =>
  expect.poll(async () => (await fixture.readOrder(id)).personNeededFor, CHECKOUT).toBe("three_d_secure");

async function confirmAtBank(id: string): Promise<void> {
  const bank = pages.get(id)?.frameLocator('iframe[title^="3-D Secure"]');
  await bank?.getByLabel(/code/i).fill("1234");
  await bank?.getByRole("button", { name: "Confirm" }).click();
}

it("two orders held in 3-D Secure leave both slots to another account, and go on when the cardholder confirms", async () => {
  const holder = await openBuyer();
  const { cardId } = (await addCard(holder, { number: CHALLENGED_CARD })).card;
  const held = [await dispatch(holder, { card_alias_id: cardId }), await dispatch(holder, { card_alias_id: cardId })];
  for (const id of held) await waitForChallenge(id);

  const purchase = await dispatch(await openBuyer());
  await waitForStatus(purchase, "succeeded");
  for (const id of held) expect(await fixture.readOrder(id)).toMatchObject({ personNeededFor: "three_d_secure" });

  await Promise.all(held.map(confirmAtBank));
  for (const id of held) await waitForStatus(id, "succeeded");
}, 240_000);
