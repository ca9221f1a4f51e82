/** Order pages in a real browser: live checkout, actions of the account owner, and completed orders. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CheckoutOrder } from "../../generated/prisma/client.ts";
import { createLiveViewUrl } from "../../src/checkout/live/live-view-url.ts";
import { publishOrder } from "../../src/checkout/orders/order-events.ts";
import { type Cause, transitionOrder } from "../../src/checkout/orders/states.ts";
import { newId } from "../../src/platform/ids.ts";
import { type LiveWorker, startLiveWorker } from "../checkout/live/live-worker.ts";
import { addMerchant, addOrder, addSealedCard } from "../checkout/orders/order-rows.ts";
import { checkPage, openPages, type Pages, type PageUser, START_TIMEOUT_MS, saveScreenshot } from "../support/pages.ts";
import { type TestAccount, WORKER_TOKEN } from "../support/stack.ts";
import { claimOrder } from "./claim-order.ts";
import { announceUntilShown } from "./publish-until-shown.ts";
import { createPendingPurchase } from "./purchases.ts";
import { QUOTE } from "./quote.ts";
import { openSignedInPage } from "./signed-in-browser.ts";

const LIVE = { timeout: 10_000 };

let pages: Pages;
let account: TestAccount;
let person: PageUser;
let live: LiveWorker;
let merchantId: string;
let cardId: string;
let jpeg: Buffer;

beforeAll(async () => {
  pages = await openPages();
  merchantId = await addMerchant(db());
  jpeg = await bankPicture();
}, START_TIMEOUT_MS);
afterAll(() => pages?.stop());
beforeEach(async () => {
  live = await startLiveWorker({ token: WORKER_TOKEN });
  account = await pages.stack.account();
  cardId = await addSealedCard(db(), pages.stack.service.deps.keks, account.accountId);
  person = await openSignedInPage(pages, account.accountId);
});
afterEach(() => live.stop());

const db = () => pages.stack.service.deps.db;

function add(data: Parameters<typeof addOrder>[2] = {}): Promise<CheckoutOrder> {
  return addOrder(db(), account.accountId, { merchantId, cardId, quote: QUOTE, isTest: true, ...data });
}

/** Returns a JPEG like a frame of the bank's page from a checkout browser. */
async function bankPicture(): Promise<Buffer> {
  const page = await pages.browser.newPage();
  const url = await page.evaluate(() => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 1280, height: 800 });
    const context = canvas.getContext("2d");
    if (!context) throw new Error("This browser draws nothing.");
    Object.assign(context, { fillStyle: "white" }).fillRect(0, 0, 1280, 800);
    Object.assign(context, { fillStyle: "black", font: "60px serif" }).fillText("The bank’s page", 80, 140);
    return canvas.toDataURL("image/jpeg");
  });
  await page.close();
  return Buffer.from(url.slice(url.indexOf(",") + 1), "base64");
}

const MERCHANT_PAGE = {
  ...{ type: "page", origin: "https://merchant.example", party: "merchant" },
  ...{ certificateHost: "*.merchant.example", frame: null },
};

const publish = (order: CheckoutOrder) => publishOrder(pages.stack.service.deps.pubsub, order);

async function transition(order: CheckoutOrder, cause: Cause, details: object = {}): Promise<void> {
  const moved = await transitionOrder(db().prisma, order.id, cause, { columns: details });
  if (!moved) throw new Error(`The order did not move: ${cause}.`);
  publish(moved);
}

/** Claims the order for the live worker. */
const claim = ({ id }: CheckoutOrder) => claimOrder(pages.stack, id, live.url);

/** Returns the input events sent to the worker, without pointer moves. */
const sentInputs = () => live.receivedMessages.map((word) => JSON.parse(word)).filter(({ event }) => event !== "move");

describe("order list", () => {
  it("shows an empty state, then new orders and status changes live", async () => {
    const { page } = person;
    await page.goto("/orders");
    await page.getByText("No orders yet.").waitFor();
    await checkPage(person, "orders-empty");
    const order = await add();
    const row = page.getByRole("table", { name: "Orders, newest first" }).getByRole("row").nth(1);
    await announceUntilShown(pages.stack, order, row.getByText("Queued"));
    for (const text of ["Waxed jacket, Navy / M and 1 more", "Queued", "up to", "28.95 GBP"]) {
      await row.getByText(text).waitFor();
    }
    await transition(order, "leased", { workerJobId: newId("wjb"), startedAt: new Date() });
    await row.getByText("In progress").waitFor();
    await transition(order, "price_changed");
    await row.getByText("Failed: price changed").waitFor();
  });

  it("filters by status and kind, and pages to older orders", async () => {
    const { page } = person;
    await db().prisma.checkoutOrder.createMany({
      data: Array.from({ length: 22 }, (_, i) => ({
        ...{ id: newId("ord"), accountId: account.accountId, credentialId: "tok_test", merchantId, kind: "purchase" },
        ...{
          status: "succeeded",
          dispatchSha256: Buffer.alloc(32, i + 1),
          request: { items: [] },
          retryAction: "none",
        },
        ...{ amountMinor: 1_000n, amountChargedMinor: BigInt(900 + i), amountIsFinal: true, currency: "JPY" },
        createdAt: new Date(Date.now() - (i + 1) * 86_400_000),
      })),
    });
    const merchantUrl = "https://unknown-merchant.example/";
    await add({ kind: "explored", status: "explored", merchantId: null, request: { merchantUrl, goal: "look" } });
    await page.goto("/orders");
    const rows = page.getByRole("table", { name: "Orders, newest first" }).getByRole("row");
    await expect.poll(() => rows.count()).toBe(21);
    await page.getByText("900 JPY").waitFor();
    await page.getByRole("button", { name: "Older" }).click();
    await page.getByText("921 JPY").waitFor();
    await page.getByLabel("Type").selectOption("EXPLORED");
    await page.getByText("unknown-merchant.example").waitFor();
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByLabel("Status").selectOption("unclear");
    await page.getByText("No matching orders.").waitFor();
    await page.getByLabel("Type").selectOption("");
    await page.getByLabel("Status").selectOption("bought");
    await expect.poll(() => rows.count()).toBe(21);
    await checkPage(person, "orders");
  });
});

describe("order page", () => {
  it("shows the checkout live, lets the owner complete the bank's challenge, and ends with receipt and evidence", async () => {
    const { page } = person;
    const order = await add({ userPrompt: "A navy jacket, please." });
    await page.goto(`/orders/${order.id}`);
    await page.getByText("Waiting for the checkout to start.").waitFor();
    const { worker, lease } = await claim(order);
    // An event published before the page subscribes is lost.
    const lines = () => {
      publish(order);
      return live.connections.size;
    };
    await expect.poll(lines, LIVE).toBe(1);
    live.sendMessage({ type: "size", width: 1280, height: 800 });
    live.sendPicture(jpeg);
    const picture = page.getByRole("img", { name: "Page in the checkout browser" });
    await picture.waitFor();
    live.sendMessage(MERCHANT_PAGE);
    const addressBar = page.getByRole("region", { name: "Address of the page" });
    await addressBar.getByText("https://merchant.example").waitFor();
    for (const text of ["Merchant", "Encrypted. Certificate: *.merchant.example"]) {
      await addressBar.getByText(text, { exact: true }).waitFor();
    }
    const { artifactId } = (
      await worker.putArtifact(lease, "kind=screenshot&redactions=card_number", "image/jpeg", new Uint8Array(jpeg))
    ).json;
    const step = { at: new Date().toISOString(), action: "Filled in the address", outcome: "12 fields" };
    await worker.send(lease, "steps", {
      steps: [{ seq: 1, ...step, urlOrigin: "https://merchant.example", screenshotId: artifactId }],
    });
    await page.getByText("Filled in the address").waitFor();
    await checkPage(person, "order-live");

    await worker.submit(lease);
    await worker.send(lease, "person-needed", { for: "three_d_secure" });
    live.sendMessage({ ...MERCHANT_PAGE, frame: { origin: "https://acs.example", party: "issuer" } });
    live.sendMessage({ type: "person-needed", for: "three_d_secure" });
    await addressBar.getByText("https://acs.example").waitFor();
    await addressBar.getByText("Bank’s 3-D Secure service", { exact: true }).waitFor();
    expect(await addressBar.getByText(/^Unknown/).count()).toBe(0);
    await page.getByRole("alert").getByText("3-D Secure confirmation required").waitFor();
    await page.getByText("Action required").waitFor();
    const screen = page.getByRole("application", { name: /^Page in the checkout browser/ });
    const box = await screen.boundingBox();
    await screen.click({ position: { x: (box?.width ?? 0) / 2, y: (box?.height ?? 0) / 4 } });
    await page.keyboard.type("42");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await page.getByLabel("Text for the bank’s page").fill("one-time 1234");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByRole("button", { name: "Next field" }).click();
    await expect.poll(() => sentInputs().length).toBe(9);
    const [down, up, ...keys] = sentInputs();
    expect(down).toMatchObject({ type: "pointer", event: "down", button: "left" });
    expect([down.x, down.y].map((share) => Math.round(share * 100))).toEqual([50, 25]);
    expect(up).toMatchObject({ type: "pointer", event: "up" });
    expect(keys).toEqual([
      ...["4", "2"].map((text) => ({ type: "text", text })),
      ...["down", "up"].map((event) => ({ type: "key", event, key: "Enter" })),
      { type: "text", text: "one-time 1234" },
      ...["down", "up"].map((event) => ({ type: "key", event, key: "Tab" })),
    ]);
    await checkPage(person, "order-bank");

    live.sendMessage({ type: "person-needed", for: "security_code" });
    live.sendMessage({ type: "paused", reason: "security_code" });
    await page.getByText("Hidden while card details are entered.").waitFor();
    await expect.poll(() => screen.isVisible()).toBe(false);
    const code = page.getByLabel("Security code");
    await code.fill("12");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText("Enter the three or four digits").waitFor();
    await checkPage(person, "order-security-code");
    await code.fill("739");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await expect.poll(() => sentInputs().at(-1)).toEqual({ type: "security-code", code: "739" });
    await expect.poll(() => code.inputValue()).toBe("");

    const confirmation = {
      orderNumber: "H-1042",
      amountChargedMinor: 2_890,
      currency: "GBP",
      url: "https://merchant.example/thanks",
    };
    await worker.send(lease, "finish", { cause: "confirmed", confirmation });
    await page.getByText("Charged, as reported by the merchant").waitFor();
    await page.getByRole("heading", { name: "Receipt" }).waitFor();
    for (const text of [
      "H-1042",
      "28.90 GBP",
      "28.95 GBP",
      "merchant.example",
      "Visa ending 4242",
      "Delivery: Royal Mail 48",
      "Total",
      "Delivery to",
      "Billing address of your default card",
      "Requested by",
      "An API token",
      "“A navy jacket, please.”",
    ]) {
      await page.getByText(text, { exact: false }).first().waitFor();
    }
    const width = "document.querySelector('img[alt^=\"Merchant page\"]')?.naturalWidth";
    await expect.poll(() => page.evaluate(width), LIVE).toBe(1280);
    await page.getByText("Redacted: card numbers.").waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download bundle" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`${order.id}-evidence.json`);
    await checkPage(person, "order-bought");
  });

  it.each([
    [
      "handoff",
      "captcha",
      {},
      ["Failed: captcha", "You can complete the purchase on the merchant’s site", "Go to merchant"],
    ],
    [
      "contact_support",
      "three_d_secure_abandoned",
      { submittedAt: new Date() },
      ["Charge unconfirmed", "charge not confirmed", "Check your card statement"],
    ],
    [
      "re_preview",
      "shop_unavailable",
      {},
      ["request a new quote from your agent", "Approved, not charged", "Card (not charged)"],
    ],
    [
      "none",
      "approval_denied",
      { status: "approval_required" },
      ["Denied by you", "Requested, denied by you", "Card (not used)"],
    ],
  ] as const)("states the next step: %s", async (action, cause, data, texts) => {
    const { page } = person;
    const order = await add({ status: "dispatched", startedAt: new Date(), workerJobId: newId("wjb"), ...data });
    await page.goto(`/orders/${order.id}`);
    await page.getByRole("heading", { level: 1, name: "Waxed jacket, Navy / M and 1 more" }).waitFor();
    await transition(order, cause);
    await announceUntilShown(pages.stack, order, page.getByText(texts[0]));
    for (const text of texts) await page.getByText(text).first().waitFor();
    await expect
      .poll(() => page.getByRole("link", { name: "Go to merchant" }).count())
      .toBe(action === "handoff" ? 1 : 0);
    await checkPage(person, `order-${action}`);
  });

  it("asks the owner what the checkout requires, and sends the answer once", async () => {
    const { page } = person;
    const order = await add();
    await page.goto(`/orders/${order.id}`);
    const { worker, lease } = await claim(order);
    const question = { purpose: "consent", kind: "yes_no", merchantText: "I am a trade customer" };
    const { json } = await worker.send(lease, "questions", question);
    const answer = page.getByRole("group", { name: "Do you agree to the merchant’s condition?" });
    const send = page.getByRole("button", { name: "Send answer" });
    await announceUntilShown(pages.stack, order, send);
    await page.getByText("“I am a trade customer”").waitFor();
    await send.click();
    await page.getByText("Select an answer.").waitFor();
    await checkPage(person, "order-question");
    await answer.getByRole("radio", { name: "Yes" }).check();
    await send.click();
    await expect.poll(() => send.count()).toBe(0);
    const waited = await worker.send(lease, `questions/${json.question.id}/answer`, { waitMs: 0 });
    expect(waited.json).toEqual({ status: "answered", answer: "yes" });
  });

  it("shows after approval which agent may place the order, and until when", async () => {
    const { page } = person;
    const { orderId, approvalId } = await createPendingPurchase(pages.stack, account);
    await page.goto(`/orders/${orderId}`);
    await page.getByText("Your approval is required").waitFor();
    const now = Date.now();
    await db().prisma.checkoutApproval.update({
      where: { id: approvalId },
      data: { status: "approved", decidedAt: new Date(now), expiresAt: new Date(now + 600_000) },
    });
    const approved = page.getByText(/^Approved\. Waiting for Travel agent to place it until \d\d:\d\d$/);
    await announceUntilShown(pages.stack, { accountId: account.accountId, id: orderId }, approved);
    const until = new Intl.DateTimeFormat("en-GB", { timeStyle: "short" }).format(now + 600_000);
    await expect.poll(() => approved.textContent()).toContain(until);
    await expect.poll(() => page.getByText(/Approval required|approval is required/).count()).toBe(0);
    await expect.poll(() => page.getByRole("link", { name: "Review" }).count()).toBe(0);
    await checkPage(person, "order-approved");
    await page.goto("/orders");
    await approved.waitFor();
    await db().prisma.checkoutApproval.update({ where: { id: approvalId }, data: { expiresAt: new Date(now - 1) } });
    await page.goto(`/orders/${orderId}`);
    const ended = page.getByText("Approval expired");
    await announceUntilShown(pages.stack, { accountId: account.accountId, id: orderId }, ended);
  });

  it("shows an order and its artifacts only to its account", async () => {
    const order = await add();
    const { worker, lease } = await claim(order);
    const { artifactId } = (
      await worker.putArtifact(lease, "kind=screenshot&redactions=card_number", "image/jpeg", new Uint8Array(jpeg))
    ).json;
    const path = `/api/autofill/orders/${order.id}/artifacts/${artifactId}`;
    const otherAccount = await pages.stack.account();
    const { page } = await openSignedInPage(pages, otherAccount.accountId);
    await page.goto(`/orders/${order.id}`);
    await page.getByText("Order not found").first().waitFor();
    const { rest } = pages.stack;
    expect(await rest(null, "GET", path)).toMatchObject({ status: 401, json: { error: "unauthorized" } });
    expect(await rest(otherAccount.token, "GET", path)).toMatchObject({ status: 404 });
    expect(await rest(account.token, "GET", `${path}%00`)).toMatchObject({ status: 404 });
    const { status, headers } = await rest(account.token, "GET", path);
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-type": "image/jpeg",
      "content-disposition": `attachment; filename="${artifactId}.jpg"`,
      "content-security-policy": "sandbox; default-src 'none'",
      "x-content-type-options": "nosniff",
    });
  });
});

it("shows the centre of the bank's page on a phone, at a readable size", async () => {
  const order = await add({
    status: "dispatched",
    startedAt: new Date(),
    workerJobId: newId("wjb"),
    workerUrl: live.url,
  });
  const phone = await openSignedInPage(pages, account.accountId, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  const { page } = phone;
  await page.goto(`/orders/${order.id}`);
  await expect.poll(() => live.connections.size, LIVE).toBe(1);
  live.sendPicture(jpeg);
  await page.getByRole("button", { name: "Zoom in" }).waitFor();
  live.sendMessage({ type: "person-needed", for: "three_d_secure" });
  const screen = page.getByRole("application", { name: /^Page in the checkout browser/ });
  await screen.waitFor();
  const toggle = page.getByRole("button", { name: "Fit to width" });
  const frame = await page.getByRole("region", { name: "Live view" }).boundingBox();
  const picture = await screen.boundingBox();
  if (!frame || !picture) throw new Error("There is no picture.");
  expect(picture.width / 1280).toBeGreaterThan(0.65);
  const middleOf = ({ x, width }: typeof frame) => Math.round(x + width / 2);
  expect(Math.abs(middleOf(picture) - middleOf(frame))).toBeLessThanOrEqual(1);
  expect((await toggle.boundingBox())?.y).toBeLessThan(frame.y);
  const [field, button] = await Promise.all([
    page.getByLabel("Text for the page").boundingBox(),
    page.getByRole("button", { name: "Send", exact: true }).boundingBox(),
  ]);
  expect(button?.y).toBe(field?.y);
  await saveScreenshot(page, "order-bank-on-phone");
  await screen.evaluate((element) => element.scrollIntoView({ block: "center", inline: "center" }));
  const shown = await screen.boundingBox();
  if (!shown) throw new Error("The picture is gone.");
  const x = frame.x + 100;
  await page.touchscreen.tap(x, shown.y + shown.height / 4);
  await expect.poll(() => sentInputs().length).toBe(2);
  const share = Math.round(((x - shown.x) / shown.width) * 100);
  for (const word of sentInputs()) {
    expect([word.button, Math.round(word.x * 100), Math.round(word.y * 100)]).toEqual(["left", share, 25]);
  }
  await toggle.click();
  await expect.poll(async () => (await screen.boundingBox())?.width).toBeLessThan(390);
});

it("warns of a page that is not the merchant's, a processor's or a bank service's, and does not call it the bank's", async () => {
  const { page } = person;
  const order = await add({
    status: "dispatched",
    startedAt: new Date(),
    workerJobId: newId("wjb"),
    workerUrl: live.url,
  });
  await page.goto(`/orders/${order.id}`);
  await expect.poll(() => live.connections.size, LIVE).toBe(1);
  const attackerPage = {
    ...MERCHANT_PAGE,
    origin: "http://bank.attacker.example",
    party: "unknown",
    certificateHost: null,
  };
  live.sendMessage(attackerPage);
  live.sendMessage({ type: "person-needed", for: "three_d_secure" });
  live.sendPicture(jpeg);
  const addressBar = page.getByRole("region", { name: "Address of the page" });
  for (const text of ["http://bank.attacker.example", "Unknown", "Not encrypted"]) {
    await addressBar.getByText(text, { exact: true }).waitFor();
  }
  const warning = "not the merchant’s, a known card processor’s or a known bank service’s";
  await addressBar.getByText(`This page is ${warning}`).waitFor();
  await page.getByLabel("Text for the page").waitFor();
  expect(await page.getByText(/your bank|the bank’s/i).count()).toBe(0);
  await checkPage(person, "order-unknown-page");

  live.sendMessage({ ...MERCHANT_PAGE, frame: { origin: "https://attacker.example", party: "unknown" } });
  await addressBar.getByText(`This frame is ${warning}`).waitFor();
  // The address of a worker that became unreachable is not shown.
  for (const socket of live.connections) socket.close();
  await expect.poll(() => live.connectionCount, LIVE).toBe(2);
  live.sendMessage({ ...MERCHANT_PAGE, origin: null, party: "unknown", certificateHost: null });
  await addressBar.getByText("Empty page without an address").waitFor();
  expect(await addressBar.getByText(/^Unknown/).count()).toBe(0);
});

it("lets the holder of a live view link watch but not act", async () => {
  const order = await add({
    status: "dispatched",
    startedAt: new Date(),
    workerJobId: newId("wjb"),
    workerUrl: live.url,
  });
  const url = await createLiveViewUrl(pages.stack.service.deps, order, { mayAct: false });
  const guest = await pages.openUser();
  const { page } = guest;
  await page.goto(url);
  await expect.poll(() => live.connections.size, LIVE).toBe(1);
  live.sendMessage({ type: "person-needed", for: "three_d_secure" });
  live.sendPicture(jpeg);
  await page.getByRole("img", { name: "Page in the checkout browser" }).waitFor();
  await page.getByText("Only the account owner can do this").waitFor();
  expect(new URL(page.url()).search).toBe("");
  await expect.poll(() => page.getByLabel("Text for the page").count()).toBe(0);
  await page.mouse.click(400, 400);
  await page.reload();
  await expect.poll(() => live.connectionCount, LIVE).toBe(2);
  live.sendPicture(jpeg);
  await page.getByRole("img", { name: "Page in the checkout browser" }).waitFor();
  expect(live.receivedMessages).toEqual([]);
  await checkPage(guest, "live");
  // The account owner may act when opening the same link.
  await person.page.goto(url);
  await expect.poll(() => live.connectionCount, LIVE).toBe(3);
  live.sendPicture(jpeg);
  await person.page.getByRole("application", { name: /^Page in the checkout browser/ }).waitFor();
  await guest.page.goto(`/live/${order.id}?token=nonsense`);
  await guest.page.getByText("This link is invalid or expired").waitFor();
});
