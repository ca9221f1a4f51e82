/** The whole way: an order at a shop, driven by a real worker, whose owner answers their bank in the live view. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createLogger } from "../../../src/platform/observability/logger.ts";
import { driveCheckout } from "../../../src/worker/checkout/drive-checkout.ts";
import { loadWorkerConfig } from "../../../src/worker/config.ts";
import { startWorker, type Worker } from "../../../src/worker/worker.ts";
import { SESSION_COOKIE } from "../../support/visitor.ts";
import { type Buyer, SOCKS_MINOR } from "../dispatch/buyer.ts";
import { type Desk, openDesk } from "../dispatch/desk.ts";
import { WORKER_TOKEN } from "../orders/worker.ts";
import { addCard } from "../person.ts";
import { streamUrl, type Watcher, watch } from "./watcher.ts";

const START_MS = 180_000;
const CHECKOUT_MS = 90_000;
const ASKED_BY_ITS_BANK = "4000 0027 6000 3184";
const BANK = 'iframe[title^="3-D Secure"]';

let desk: Desk;
let buyer: Buyer;
let worker: Worker;
/** The worker's own page: the test looks there where a person would look at the picture. */
let page: Page | null = null;
const watchers: Watcher[] = [];

beforeAll(async () => {
  desk = await openDesk();
  buyer = await desk.openBuyer();
  await buyer.signPolicy();
  worker = await startWorker({
    config: loadWorkerConfig({ SERVICE_URL: desk.stack.baseUrl, EGRESS_ALLOW_LOOPBACK: "1" }),
    token: WORKER_TOKEN,
    logger: createLogger("silent"),
    drivers: {
      purchase(session) {
        page = session.page;
        return driveCheckout(session);
      },
      exploration: async () => ({ cause: "exploration_failed" }),
    },
  });
}, START_MS);
afterAll(async () => {
  for (const { socket } of watchers) socket.terminate();
  await worker?.stop();
  await desk?.stop();
});

const OWN_URL = "query ($id: String!) { viewer { order(orderId: $id) { liveViewUrl } } }";

function look(liveViewUrl: string, headers: Record<string, string> = {}): Watcher {
  const watcher = watch(streamUrl(desk.stack.baseUrl, liveViewUrl), headers);
  watchers.push(watcher);
  return watcher;
}

/** Where something of the bank's page is, 0 to 1. */
async function placeOf(name: "code" | "confirm"): Promise<{ x: number; y: number }> {
  if (!page) throw new Error("The worker drives nothing.");
  const bank = page.frameLocator(BANK);
  const box = await (name === "code"
    ? bank.getByLabel(/code/i)
    : bank.getByRole("button", { name: "Confirm" })
  ).boundingBox();
  const { width, height } = page.viewportSize() ?? { width: 1, height: 1 };
  if (!box) throw new Error(`The bank's page shows no ${name}.`);
  return { x: (box.x + box.width / 2) / width, y: (box.y + box.height / 2) / height };
}

async function click(watcher: Watcher, name: "code" | "confirm"): Promise<void> {
  const place = await placeOf(name);
  watcher.send({ type: "pointer", event: "move", ...place });
  watcher.send({ type: "pointer", event: "down", ...place, button: "left" });
  watcher.send({ type: "pointer", event: "up", ...place, button: "left" });
}

it(
  "buys once its owner has confirmed, and only watches for whoever else has the link",
  async () => {
    const { cardId } = (await addCard(buyer, { number: ASKED_BY_ITS_BANK })).card;
    const { status, json } = await buyer.dispatch(desk.socks({ card_alias_id: cardId }));
    expect(status).toBe(200);
    const agent = look(json.live_view_url);
    const { viewer } = await buyer.visitor.graphql(OWN_URL, { id: json.order_id });
    const cookie = `${SESSION_COOKIE}=${buyer.visitor.cookies.get(SESSION_COOKIE)}`;
    const owner = look(viewer.order.liveViewUrl, { cookie, origin: new URL(desk.stack.baseUrl).origin });
    await expect.poll(() => owner.words[0], { timeout: 10_000 }).toEqual({ type: "hello", mayAct: true });
    expect(agent.words[0]).toEqual({ type: "hello", mayAct: false });

    const asked = { type: "person-needed", for: "three_d_secure" };
    await expect.poll(() => owner.words, { timeout: CHECKOUT_MS }).toContainEqual(asked);
    await expect.poll(() => owner.pictures.length).toBeGreaterThan(0);
    // Those who watch are told first, the service right after.
    await expect.poll(async () => (await desk.read(json.order_id)).personNeededFor).toBe("three_d_secure");
    await page?.frameLocator(BANK).getByLabel(/code/i).waitFor();
    // Wrong codes would end it: none of the agent's arrives.
    for (let i = 0; i < 3; i++) {
      await click(agent, "code");
      agent.send({ type: "text", text: "0000" });
      agent.send({ type: "key", event: "down", key: "Enter" });
    }
    await click(owner, "code");
    owner.send({ type: "text", text: "1234" });
    await click(owner, "confirm");
    await expect.poll(async () => (await desk.read(json.order_id)).status, { timeout: CHECKOUT_MS }).toBe("succeeded");
    expect(await desk.read(json.order_id)).toMatchObject({
      amountChargedMinor: BigInt(SOCKS_MINOR),
      personNeededFor: null,
    });
    for (const watcher of [agent, owner]) {
      expect(await watcher.closed).toMatchObject({ code: 1000 });
      expect(watcher.words.at(-1)).toEqual({ type: "ended" });
      expect(watcher.words).toContainEqual(expect.objectContaining({ type: "paused" }));
    }
  },
  START_MS,
);
