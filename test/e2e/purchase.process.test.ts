/**
 * A purchase the whole way, nothing mocked: an agent finds and prices it and orders it; its person adds a card, approves with
 * a passkey, watches the shop's checkout, answers the bank; the evidence is verified with published keys alone.
 */
import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { compactVerify, createRemoteJWKSet, jwtVerify } from "jose";
import { afterAll, beforeAll, expect, it } from "vitest";
import { VIEWPORT } from "../../src/worker/browser.ts";
import { streamUrl, watch } from "../checkout/live/watcher.ts";
import { WORKER_TOKEN } from "../checkout/orders/worker.ts";
import { CARDS, openBuyer } from "../sandbox/buyer.ts";
import { openPages, type Pages, type Person, START_TIMEOUT_MS } from "../support/pages.ts";
import type { TestAccount } from "../support/stack.ts";
import { startWorkerProcess, type WorkerProcess } from "../support/worker-process.ts";
import { personOf } from "../web/people.ts";
import { keptTexts, spellingsOf } from "./kept-texts.ts";

/** The bank asks this card's owner for a code, which is 1234. */
const ASKED_CARD = "4000 0027 6000 3184";
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

const logged: string[] = [];
/** What came over the address that the agent was given. */
const watched = { words: [] as unknown[], order: [] as string[] };
interface Place {
  readonly x: number;
  readonly y: number;
}

let pages: Pages;
let account: TestAccount;
let person: Person;
let worker: WorkerProcess;

beforeAll(async () => {
  const env = { WORKER_TOKEN, CARD_SECURITY_CODE: "keep" };
  pages = await openPages({ networks: [], env, onLog: (line) => logged.push(line) });
  account = await pages.stack.account();
  worker = startWorkerProcess(pages.stack.baseUrl);
}, START_TIMEOUT_MS);
afterAll(async () => {
  await worker?.stop();
  await pages?.stop();
});

const agent = (method: string, path: string, body?: object) => pages.stack.rest(account.token, method, path, body);
const button = (name: string) => person.page.getByRole("button", { name, exact: true });

async function chargesAt(shop: string): Promise<{ amountMinor: number; currency: string; orderNumber: string }[]> {
  const answer = await fetch(`${pages.stack.sandbox?.adminUrl}/stores/${shop}/charges`);
  return ((await answer.json()) as { charges: [] }).charges;
}

async function addCard(): Promise<void> {
  const { page } = person;
  await page.goto("/cards/new");
  const written = {
    "Card number": ASKED_CARD,
    Expires: `04/${YEAR}`,
    "Security code": SECURITY_CODE,
    "Name on the card": "Ada Lovelace",
    "First name": "Ada",
    "Last name": "Lovelace",
    "Street and number": "12 St James's Square",
    City: "London",
    "Postal code": "SW1Y 4JH",
  };
  for (const [label, value] of Object.entries(written)) await page.getByLabel(label).fill(value);
  await page.getByLabel("Country").selectOption("GB");
  await button("Add the card").click();
  await page.getByText("Visa ending 3184", { exact: true }).waitFor();
}

/** Search, product page, quote: what is to be ordered, as an agent finds out. */
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

it("goes from a search to a receipt", async () => {
  person = await personOf(pages, account.accountId);
  await person.addAuthenticator();
  const { page } = person;
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
  const asked = await agent("POST", "/api/autofill/dispatch", dispatch);
  expect([asked.status, asked.json.approval_required]).toEqual([202, true]);

  await page.goto(new URL(asked.json.approval_url).pathname);
  await button("Add a passkey").click();
  await expect.poll(() => button("Approve").isEnabled()).toBe(true);
  await button("Approve").click();
  await page.getByRole("heading", { name: "Approved", exact: true }).waitFor();
  const poll = await agent("GET", `/api/autofill/approvals/${asked.json.approval_token}`);
  expect(poll.json.status).toBe("approved");

  const placed = await agent("POST", "/api/autofill/dispatch", {
    ...dispatch,
    approval_token: asked.json.approval_token,
  });
  expect([placed.status, placed.json.status]).toEqual([200, "dispatched"]);
  const watcher = watch(streamUrl(pages.stack.baseUrl, placed.json.live_view_url));
  watched.words = watcher.words;
  watcher.socket.on("message", (data, isBinary) =>
    watched.order.push(isBinary ? "picture" : JSON.parse(String(data)).type),
  );
  await page.goto(new URL(placed.json.order_url).pathname);

  await page.getByRole("application").waitFor({ timeout: CHECKOUT_MS });
  await answerBank(bankField);
  const { id: orderId } = (await agent("GET", "/api/autofill/orders")).json.orders[0];
  expect(orderId).toBe(placed.json.order_id);
  const read = async () => (await agent("GET", `/api/autofill/orders/${orderId}`)).json;
  await expect.poll(async () => (await read()).status, { timeout: CHECKOUT_MS }).toBe("succeeded");

  const order = await read();
  const [charge, ...others] = await chargesAt("harbour");
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

/** As a person does: clicks on the field in the picture, types, presses Enter. */
async function answerBank(place: Place): Promise<void> {
  const picture = person.page.getByRole("application");
  await picture.scrollIntoViewIfNeeded();
  const box = await picture.boundingBox();
  if (!box) throw new Error("There is no picture.");
  await person.page.mouse.click(box.x + place.x * box.width, box.y + place.y * box.height);
  await person.page.keyboard.type(BANK_CODE);
  await person.page.keyboard.press("Enter");
}

/** Where the bank asks for its code on a screen of the worker's size, as a share of it: found on a checkout of somebody else's, who leaves. */
async function findBankField(): Promise<Place> {
  const buyer = await openBuyer(pages.browser, { ...VIEWPORT });
  try {
    const shopUrl = pages.stack.sandbox?.stores.find(({ name }) => name === "harbour")?.url;
    await buyer.page.goto(`${shopUrl}/cart/710031:1`);
    const {
      first_name: first,
      last_name: last,
      address1: street,
      city,
      postal_code: zip,
      country_code: country,
    } = BABBAGE;
    await buyer.deliver({ first, last, street, city, zip, country }, "Standard");
    await buyer.card(CARDS.asksOwner);
    await buyer.pay();
    const box = await buyer.bank().getByLabel(/code/i).boundingBox();
    if (!box) throw new Error("The bank asks for nothing.");
    return { x: (box.x + box.width / 2) / VIEWPORT.width, y: (box.y + box.height / 2) / VIEWPORT.height };
  } finally {
    await buyer.close();
  }
}

it("leaves the card's digits nowhere", async () => {
  const { db } = pages.stack.service.deps;
  const number = ASKED_CARD.replaceAll(" ", "");
  const { cardReleasedAt, submittedAt } = await db.prisma.checkoutOrder.findFirstOrThrow({
    select: { cardReleasedAt: true, submittedAt: true },
  });
  const artifacts = await db.prisma.checkoutArtifact.findMany();
  expect(new Set(artifacts.map(({ kind }) => kind))).toContain("har");
  const texts = [
    ...(await keptTexts(db)),
    ...logged.map((text) => ({ where: "the service's log", text })),
    { where: "the worker's log", text: worker.written.text },
    ...artifacts.map(({ id, kind, bytes }) => ({
      where: `${kind} ${id}`,
      text: Buffer.from(bytes).toString("latin1"),
    })),
    ...watched.words.map((word) => ({ where: "the live stream", text: JSON.stringify(word) })),
  ];
  // What may be kept of it is found in this way.
  expect(texts.some(({ text }) => text.includes(number.slice(-4)))).toBe(true);
  const found = spellingsOf(number).flatMap((spelling) =>
    texts.filter(({ text }) => text.includes(spelling)).map(({ where }) => `${where}: ${spelling}`),
  );
  expect(found).toEqual([]);
  // As text or in a form: three digits alone may be a time or a size.
  const code = new RegExp(`["'=]${SECURITY_CODE}(?:["'&\\\\ ]|$)`);
  expect(
    texts.filter(({ text }) => code.test(text)).map(({ where, text }) => `${where}: ${text.slice(0, 200)}`),
  ).toEqual([]);
  // Nobody saw the page while they were typed.
  expect(watched.order).toContain("picture");
  expect(watched.order).toContain("paused");
  expect(watched.order.filter((what, i) => what === "picture" && isPausedBefore(watched.order, i))).toEqual([]);
  // A picture is kept when it arrives, which may be later: its step says when it was taken.
  const isHidden = (timeMs: number) => timeMs > Number(cardReleasedAt) && timeMs < Number(submittedAt);
  const pictured = await db.prisma.checkoutStep.findMany({ where: { screenshotId: { not: null } } });
  expect(pictured.length).toBe(artifacts.filter(({ kind }) => kind === "screenshot").length);
  expect(pictured.filter(({ at }) => isHidden(Number(at)))).toEqual([]);
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
