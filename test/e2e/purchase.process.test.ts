/**
 * A complete purchase without mocks. An agent finds, quotes and orders a product. The account owner adds a card, approves with
 * a passkey, watches the checkout and completes the bank's challenge. The evidence is verified with the published keys only.
 */
import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { compactVerify, createRemoteJWKSet, jwtVerify } from "jose";
import { afterAll, beforeAll, expect, it } from "vitest";
import { VIEWPORT } from "../../src/worker/browser.ts";
import { openStreamClient, streamUrl } from "../checkout/live/stream-client.ts";
import { WORKER_TOKEN } from "../checkout/orders/worker-client.ts";
import { CARDS, openBuyer } from "../sandbox/buyer.ts";
import { openPages, type Pages, type PageUser, START_TIMEOUT_MS } from "../support/pages.ts";
import type { TestAccount } from "../support/stack.ts";
import { startWorkerProcess, type WorkerProcess } from "../support/worker-process.ts";
import { openSignedInPage } from "../web/signed-in-browser.ts";
import { listSpellings, readStoredTexts } from "./stored-texts.ts";

/** A card whose bank requires a code from the cardholder: 1234. */
const CHALLENGED_CARD = "4000 0027 6000 3184";
const BANK_CODE = "1234";
const SECURITY_CODE = "739";
const YEAR = String(new Date().getUTCFullYear() + 2).slice(-2);
const CHECKOUT_MS = 60_000;
const BABBAGE = {
  first_name: "Charles",
  last_name: "Babbage",
  address1: "1 Dorset Street",
  city: "London",
  postal_code: "W1U 4EE",
  country_code: "GB",
};

const logLines: string[] = [];
/** Messages of the live stream, and their order with the pictures, received over the agent's URL. */
const stream = { messages: [] as unknown[], order: [] as string[] };
interface Position {
  readonly x: number;
  readonly y: number;
}

let pages: Pages;
let account: TestAccount;
let owner: PageUser;
let worker: WorkerProcess;

beforeAll(async () => {
  const env = { WORKER_TOKEN, CARD_SECURITY_CODE: "keep" };
  pages = await openPages({ networks: [], env, onLog: (line) => logLines.push(line) });
  account = await pages.stack.account();
  worker = startWorkerProcess(pages.stack.baseUrl);
}, START_TIMEOUT_MS);
afterAll(async () => {
  await worker?.stop();
  await pages?.stop();
});

const agent = (method: string, path: string, body?: object) => pages.stack.rest(account.token, method, path, body);
const button = (name: string) => owner.page.getByRole("button", { name, exact: true });

async function listCharges(store: string): Promise<{ amountMinor: number; currency: string; orderNumber: string }[]> {
  const response = await fetch(`${pages.stack.sandbox?.adminUrl}/stores/${store}/charges`);
  return ((await response.json()) as { charges: [] }).charges;
}

async function addCard(): Promise<void> {
  const { page } = owner;
  await page.goto("/cards/new");
  const fields = {
    "Card number": CHALLENGED_CARD,
    Expires: `04/${YEAR}`,
    "Security code": SECURITY_CODE,
    "Cardholder name": "Ada Lovelace",
    "First name": "Ada",
    "Last name": "Lovelace",
    "Street and number": "12 St James's Square",
    City: "London",
    "Postal code": "SW1Y 4JH",
  };
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label).fill(value);
  await page.getByLabel("Country").selectOption("GB");
  await button("Add card").click();
  await page.getByText("Visa ending 3184", { exact: true }).waitFor();
}

/** Searches, looks up and quotes the product, as an agent does. */
async function findSocks() {
  const found = await agent("GET", "/api/autofill/products/search?q=socks&country=GB");
  const { product_url: url } = found.json.products.find(
    ({ merchant, onboard }: { merchant: { name: string }; onboard?: object }) =>
      /Harbour/.test(merchant.name) && onboard === undefined,
  );
  const { json: product } = await agent("GET", `/api/autofill/products/lookup?url=${encodeURIComponent(url)}`);
  expect(product.available).toBe(true);
  const cart = { merchant_id: product.merchant.id, items: [{ sku: product.sku, quantity: 2 }], ship_to: BABBAGE };
  const { json: choices } = await agent("POST", "/api/autofill/shopify/quote", cart);
  expect(choices.requires_fulfillment_choice).toBe(true);
  const option = choices.fulfillment_options.find(({ title }: { title: string }) => title === "Standard");
  const chosen = { ...cart, fulfillment_option_id: option.id, constraints: { max_total_minor: 10_000 } };
  const { json: quote } = await agent("POST", "/api/autofill/shopify/quote", chosen);
  return { chosen, quote };
}

it("completes a purchase from search to receipt", async () => {
  owner = await openSignedInPage(pages, account.accountId);
  await owner.addAuthenticator();
  const { page } = owner;
  const bankField = await findBankField();
  await addCard();
  const { chosen, quote } = await findSocks();
  const dispatch = {
    ...chosen,
    amount_minor: quote.expected_amount_minor,
    currency: quote.currency,
    user_confirmation_text: "Yes, please order them.",
    user_approved_at_iso: new Date().toISOString(),
    user_prompt: "Two pairs of wool socks for Charles.",
  };
  const pending = await agent("POST", "/api/autofill/dispatch", dispatch);
  expect([pending.status, pending.json.approval_required]).toEqual([202, true]);

  await page.goto(new URL(pending.json.approval_url).pathname);
  await button("Add passkey").click();
  await expect.poll(() => button("Approve").isEnabled()).toBe(true);
  await button("Approve").click();
  await page.getByRole("heading", { name: "Approved", exact: true }).waitFor();
  const poll = await agent("GET", `/api/autofill/approvals/${pending.json.approval_token}`);
  expect(poll.json.status).toBe("approved");

  const placed = await agent("POST", "/api/autofill/dispatch", {
    ...dispatch,
    approval_token: pending.json.approval_token,
  });
  expect([placed.status, placed.json.status]).toEqual([200, "dispatched"]);
  const client = openStreamClient(streamUrl(pages.stack.baseUrl, placed.json.live_view_url));
  stream.messages = client.messages;
  client.socket.on("message", (data, isBinary) =>
    stream.order.push(isBinary ? "picture" : JSON.parse(String(data)).type),
  );
  await page.goto(new URL(placed.json.order_url).pathname);

  await page.getByRole("application").waitFor({ timeout: CHECKOUT_MS });
  await completeBankChallenge(bankField);
  const { id: orderId } = (await agent("GET", "/api/autofill/orders")).json.orders[0];
  expect(orderId).toBe(placed.json.order_id);
  const read = async () => (await agent("GET", `/api/autofill/orders/${orderId}`)).json;
  await expect.poll(async () => (await read()).status, { timeout: CHECKOUT_MS }).toBe("succeeded");

  const order = await read();
  const [charge, ...others] = await listCharges("harbour");
  expect(others).toEqual([]);
  expect(charge).toMatchObject({ amountMinor: quote.expected_amount_minor, currency: "GBP" });
  expect(order).toMatchObject({
    amount_charged_minor: quote.expected_amount_minor,
    retryable: false,
    retry_action: "none",
    evidence: { available: true, merchant_order_number: charge?.orderNumber },
  });
  await page.getByText(String(charge?.orderNumber)).first().waitFor();
  await verify(orderId);
}, 240_000);

/** Clicks the field in the picture, types the code and presses Enter. */
async function completeBankChallenge(position: Position): Promise<void> {
  const picture = owner.page.getByRole("application");
  await picture.scrollIntoViewIfNeeded();
  const box = await picture.boundingBox();
  if (!box) throw new Error("The live view shows no picture.");
  await owner.page.mouse.click(box.x + position.x * box.width, box.y + position.y * box.height);
  await owner.page.keyboard.type(BANK_CODE);
  await owner.page.keyboard.press("Enter");
}

/**
 * Returns the centre of the bank's code field as fractions of the worker's viewport. It is measured in another checkout, which is
 * then abandoned.
 */
async function findBankField(): Promise<Position> {
  const buyer = await openBuyer(pages.browser, { ...VIEWPORT });
  try {
    const storeUrl = pages.stack.sandbox?.stores.find(({ name }) => name === "harbour")?.url;
    await buyer.page.goto(`${storeUrl}/cart/710031:1`);
    const {
      first_name: first,
      last_name: last,
      address1: street,
      city,
      postal_code: zip,
      country_code: country,
    } = BABBAGE;
    await buyer.deliver({ first, last, street, city, zip, country }, "Standard");
    await buyer.card(CARDS.challenged);
    await buyer.pay();
    const box = await buyer.bank().getByLabel(/code/i).boundingBox();
    if (!box) throw new Error("The bank's page shows no code field.");
    return { x: (box.x + box.width / 2) / VIEWPORT.width, y: (box.y + box.height / 2) / VIEWPORT.height };
  } finally {
    await buyer.close();
  }
}

it("stores the card number and security code nowhere in plain text", async () => {
  const { db } = pages.stack.service.deps;
  const number = CHALLENGED_CARD.replaceAll(" ", "");
  const { cardReleasedAt, submittedAt } = await db.prisma.checkoutOrder.findFirstOrThrow({
    select: { cardReleasedAt: true, submittedAt: true },
  });
  const artifacts = await db.prisma.checkoutArtifact.findMany();
  expect(new Set(artifacts.map(({ kind }) => kind))).toContain("har");
  const texts = [
    ...(await readStoredTexts(db)),
    ...logLines.map((text) => ({ where: "the service's log", text })),
    { where: "the worker's log", text: worker.written.text },
    ...artifacts.map(({ id, kind, bytes }) => ({
      where: `${kind} ${id}`,
      text: Buffer.from(bytes).toString("latin1"),
    })),
    ...stream.messages.map((message) => ({ where: "the live stream", text: JSON.stringify(message) })),
  ];
  // The last four digits may be stored. Finding them proves that the search works.
  expect(texts.some(({ text }) => text.includes(number.slice(-4)))).toBe(true);
  const found = listSpellings(number).flatMap((spelling) =>
    texts.filter(({ text }) => text.includes(spelling)).map(({ where }) => `${where}: ${spelling}`),
  );
  expect(found).toEqual([]);
  // Only quoted or as a form value: three bare digits may be a time or a size.
  const code = new RegExp(`["'=]${SECURITY_CODE}(?:["'&\\\\ ]|$)`);
  expect(
    texts.filter(({ text }) => code.test(text)).map(({ where, text }) => `${where}: ${text.slice(0, 200)}`),
  ).toEqual([]);
  // The stream was paused while the card was typed.
  expect(stream.order).toContain("picture");
  expect(stream.order).toContain("paused");
  expect(stream.order.filter((what, i) => what === "picture" && isPausedBefore(stream.order, i))).toEqual([]);
  // A screenshot may be stored after a delay, so the time of its step is compared.
  const isHidden = (timeMs: number) => timeMs > Number(cardReleasedAt) && timeMs < Number(submittedAt);
  const stepsWithScreenshot = await db.prisma.checkoutStep.findMany({ where: { screenshotId: { not: null } } });
  expect(stepsWithScreenshot.length).toBe(artifacts.filter(({ kind }) => kind === "screenshot").length);
  expect(stepsWithScreenshot.filter(({ at }) => isHidden(Number(at)))).toEqual([]);
});

function isPausedBefore(order: readonly string[], index: number): boolean {
  return order.lastIndexOf("paused", index) > order.lastIndexOf("resumed", index);
}

async function verify(orderId: string): Promise<void> {
  const keys = createRemoteJWKSet(new URL("/.well-known/mandate-keys.json", pages.stack.baseUrl));
  const { json: bundle } = await agent("GET", `/api/autofill/orders/${orderId}/evidence`);
  const { bundle_sha256, signature, ...contents } = bundle;
  const digest = createHash("sha256")
    .update(canonicalize(contents) ?? "")
    .digest("hex");
  expect(bundle_sha256).toBe(digest);
  const signed = await compactVerify(signature, keys);
  expect(Buffer.from(signed.payload).toString()).toContain(digest);
  for (const { sd_jwt } of bundle.mandate_chain.filter((entry: { sd_jwt?: string }) => entry.sd_jwt)) {
    await jwtVerify(sd_jwt.split("~")[0], keys);
  }
  expect(bundle).toMatchObject({
    approval: { mode: "passkey", user_confirmation_text: "Yes, please order them.", webauthn: { type: "webauthn" } },
    ship_to: BABBAGE,
  });
  for (const { id, sha256 } of bundle.execution.artifacts) {
    const file = await fetch(`${pages.stack.baseUrl}/api/autofill/orders/${orderId}/artifacts/${id}`, {
      headers: { "x-service-token": account.token },
    });
    expect(file.status).toBe(200);
    const bytes = Buffer.from(await file.arrayBuffer());
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(sha256);
  }
}
