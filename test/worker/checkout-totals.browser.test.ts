/** A total that contains a tax amount: the payment never exceeds the approval, and the charge is reported exactly. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openWorkerFixture, type WorkerFixture } from "./checkout-fixture.ts";

const CARD = `<label>Card number <input name="number" autocomplete="cc-number"></label>
  <label>Expiry (MM/YY) <input name="exp" autocomplete="cc-exp"></label>
  <label>Security code <input name="cvc" autocomplete="cc-csc"></label>`;
const TOTAL = `<div role="row"><div role="rowheader"><strong>Total</strong><div><p>Including £8.00 in taxes</p></div></div>
  <div role="cell"><strong>£48.00</strong></div></div>`;
const PAGES: Record<string, string> = {
  "/cart": `<h1>Basket</h1><a href="/checkout">Checkout</a>`,
  "/checkout": `<h1>Checkout</h1><form method="post" action="/pay">${TOTAL}${CARD}<button>Pay now</button></form>`,
  "/thanks": `<h1>Thank you for your order</h1><p>Order number: A-1001</p>${TOTAL}`,
};

let fixture: WorkerFixture;
let server: Server;
let url = "";
let payments = 0;
beforeAll(async () => {
  fixture = await openWorkerFixture();
  server = createServer((request, response) => {
    if (request.method === "POST") {
      payments += 1;
      return void response.writeHead(303, { location: "/thanks" }).end();
    }
    const page = PAGES[request.url ?? ""] ?? "";
    response.setHeader("content-type", "text/html; charset=utf-8").end(`<!doctype html><body>${page}`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server?.close();
});

const buy = (amountMinor: number) =>
  fixture.drive({
    ...{ store: url, cartPath: "/cart", amountMinor, currency: "GBP" },
    fulfillment: { type: "digital", title: "Sent by email", amountMinor: 0, pickupLocation: null },
  });

it("stops before it requests the card when the total exceeds the approval", async () => {
  const { result, calls } = await buy(4_799);
  expect({ result, calls, payments }).toEqual({ result: { cause: "price_changed" }, calls: [], payments: 0 });
});

it("pays the approved amount and reports the charge", async () => {
  const { result } = await buy(4_800);
  expect(result).toMatchObject({ cause: "confirmed", confirmation: { amountChargedMinor: 4_800, currency: "GBP" } });
  expect(payments).toBe(1);
});
