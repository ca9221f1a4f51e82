/** End to end: a real worker drives an order, and the cardholder completes the bank's challenge in the live view. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createLogger } from "../../../src/platform/observability/logger.ts";
import { driveCheckout } from "../../../src/worker/checkout/drive-checkout.ts";
import { loadWorkerConfig } from "../../../src/worker/config.ts";
import { inThisProcess } from "../../../src/worker/this-process.ts";
import { startWorker, type Worker } from "../../../src/worker/worker.ts";
import { SESSION_COOKIE } from "../../support/browser-client.ts";
import { addCard } from "../account-owner.ts";
import { type Buyer, SOCKS_MINOR } from "../dispatch/buyer.ts";
import { type DispatchFixture, openDispatchFixture } from "../dispatch/dispatch-fixture.ts";
import { WORKER_TOKEN } from "../orders/worker-client.ts";
import { openStreamClient, type StreamClient, streamUrl } from "./stream-client.ts";

const START_MS = 180_000;
const CHECKOUT_MS = 90_000;
const CHALLENGED_CARD = "4000 0027 6000 3184";
const BANK_FRAME = 'iframe[title^="3-D Secure"]';

let fixture: DispatchFixture;
let buyer: Buyer;
let worker: Worker;
/** The worker's page. The test locates elements on it instead of on the streamed picture. */
let page: Page | null = null;
const clients: StreamClient[] = [];

beforeAll(async () => {
  fixture = await openDispatchFixture();
  buyer = await fixture.openBuyer();
  await buyer.signPolicy();
  worker = await startWorker({
    config: loadWorkerConfig({ SERVICE_URL: fixture.stack.baseUrl, EGRESS_ALLOW_LOOPBACK: "1" }),
    token: WORKER_TOKEN,
    logger: createLogger("silent"),
    orders: inThisProcess({
      purchase(session) {
        page = session.page;
        return driveCheckout(session);
      },
      exploration: async () => ({ cause: "exploration_failed" }),
      dryRun: async () => ({ cause: "exploration_failed" }),
    }),
  });
}, START_MS);
afterAll(async () => {
  for (const { socket } of clients) socket.terminate();
  await worker?.stop();
  await fixture?.stop();
});

const OWN_URL = "query ($id: ID!) { checkoutOrder(id: $id) { liveViewUrl } }";

function connect(liveViewUrl: string, headers: Record<string, string> = {}): StreamClient {
  const client = openStreamClient(streamUrl(fixture.stack.baseUrl, liveViewUrl), headers);
  clients.push(client);
  return client;
}

/** Returns the centre of the bank's field for the code, as fractions of the viewport. */
async function locateCode(): Promise<{ x: number; y: number }> {
  if (!page) throw new Error("The worker drives no order.");
  const box = await page.frameLocator(BANK_FRAME).getByLabel(/code/i).boundingBox();
  const { width, height } = page.viewportSize() ?? { width: 1, height: 1 };
  if (!box) throw new Error("The bank's page shows no field for the code.");
  return { x: (box.x + box.width / 2) / width, y: (box.y + box.height / 2) / height };
}

async function clickCode(client: StreamClient): Promise<void> {
  const place = await locateCode();
  client.send({ type: "pointer", event: "move", ...place });
  client.send({ type: "pointer", event: "down", ...place, button: "left" });
  client.send({ type: "pointer", event: "up", ...place, button: "left" });
}

it(
  "completes the purchase after the cardholder confirms, and ignores input of the agent's link",
  async () => {
    const { cardId } = (await addCard(buyer, { number: CHALLENGED_CARD })).card;
    const { status, json } = await buyer.dispatch(fixture.createDispatch({ card_alias_id: cardId }));
    expect(status).toBe(200);
    const agent = connect(json.live_view_url);
    const { checkoutOrder } = await buyer.visitor.graphql(OWN_URL, { id: json.order_id });
    const cookie = `${SESSION_COOKIE}=${buyer.visitor.cookies.get(SESSION_COOKIE)}`;
    const owner = connect(checkoutOrder.liveViewUrl, { cookie, origin: new URL(fixture.stack.baseUrl).origin });
    await expect.poll(() => owner.messages[0], { timeout: 10_000 }).toEqual({ type: "hello", mayAct: true });
    expect(agent.messages[0]).toEqual({ type: "hello", mayAct: false });

    const challengeMessage = { type: "person-needed", for: "three_d_secure" };
    await expect.poll(() => owner.messages, { timeout: CHECKOUT_MS }).toContainEqual(challengeMessage);
    const pageMessage = owner.messages.findLast(({ type }) => type === "page");
    expect(pageMessage).toMatchObject({ party: "merchant", frame: { party: "issuer" } });
    expect(pageMessage.frame.origin).toBe(new URL(page?.frames().at(-1)?.url() ?? "").origin);
    await expect.poll(() => owner.pictures.length).toBeGreaterThan(0);
    // Viewers receive the message first, the service right after.
    await expect.poll(async () => (await fixture.readOrder(json.order_id)).personNeededFor).toBe("three_d_secure");
    await page?.frameLocator(BANK_FRAME).getByLabel(/code/i).waitFor();
    // Three wrong codes would end the challenge: no input of the agent arrives.
    for (let i = 0; i < 3; i++) {
      await clickCode(agent);
      agent.send({ type: "text", text: "0000" });
      agent.send({ type: "key", event: "down", key: "Enter" });
    }
    // By keyboard only: the field for the code is focused, and Enter sends the bank's form.
    owner.send({ type: "text", text: "1234" });
    owner.send({ type: "key", event: "down", key: "Enter" });
    await expect
      .poll(async () => (await fixture.readOrder(json.order_id)).status, { timeout: CHECKOUT_MS })
      .toBe("succeeded");
    expect(await fixture.readOrder(json.order_id)).toMatchObject({
      amountChargedMinor: BigInt(SOCKS_MINOR),
      personNeededFor: null,
    });
    for (const client of [agent, owner]) {
      expect(await client.closed).toMatchObject({ code: 1000 });
      expect(client.messages.at(-1)).toEqual({ type: "ended" });
      expect(client.messages).toContainEqual(expect.objectContaining({ type: "paused" }));
    }
  },
  START_MS,
);
