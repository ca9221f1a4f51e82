/** The cardholder's address at checkouts that deliver to another one. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HOME, openWorkerFixture, type WorkerFixture } from "./checkout-fixture.ts";

const GIFT = { ...HOME, firstName: "Grace", address1: "7 Quay Street", city: "Bristol", postalCode: "BS1 4DJ" };
const createAddress = (prefix = "") =>
  `<input name="${prefix}street" aria-label="Address" autocomplete="address-line1" required>
  <input name="${prefix}postcode" aria-label="Postcode" autocomplete="postal-code" required>`;
const createForm = (content: string) => `<form method="post" action="/pay"><p>Total £28.90</p>${content}
  <input name="number" autocomplete="cc-number"><input name="exp" autocomplete="cc-exp"><button>Pay now</button></form>`;
const PAGES: Readonly<Record<string, string>> = {
  "/one-address": createForm(createAddress()),
  "/billing-first": createForm(`<section><h2>Billing details</h2>${createAddress()}</section>
    <label><input type="checkbox" onchange="ship.hidden = !checked; ship.querySelectorAll('input').forEach((one) => { one.disabled = !checked; })"> Ship to a different address?</label>
    <section id="ship" hidden><h2>Shipping address</h2>${createAddress("ship_").replaceAll("required", "disabled required")}</section>`),
  "/billing-only": createForm(`<section><h2>Billing address</h2>${createAddress()}</section>`),
  "/two-addresses": createForm(`<section><h2>Shipping address</h2>${createAddress("ship_")}</section>
    <section><h2>Billing address</h2>${createAddress()}</section>`),
};

let fixture: WorkerFixture;
let server: Server;
const posted = new Map<string, Record<string, string>>();
beforeAll(async () => {
  fixture = await openWorkerFixture();
  server = createServer((request, response) => {
    const { url = "", method, headers } = request;
    response.setHeader("content-type", "text/html; charset=utf-8");
    if (method !== "POST") {
      const content = url.startsWith("/cart") ? `<a href="${url.slice(5)}">Checkout</a>` : PAGES[url];
      response.end(`<!doctype html><body>${content ?? ""}`);
      return;
    }
    let body = "";
    request.on("data", (data) => {
      body += data;
    });
    request.on("end", () => {
      posted.set(new URL(headers.referer ?? "").pathname, Object.fromEntries(new URLSearchParams(body)));
      response.end("<h1>Thank you for your order</h1><p>Order number: A-1001</p><p>Total £28.90</p>");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => {
  server?.close();
  server?.closeAllConnections();
});

describe.concurrent("a delivery to another address", () => {
  const home = { street: "1 Royal Mile", postcode: "EH1 1AA" };
  it.each([
    ["/one-address", { street: "7 Quay Street" }, true],
    ["/billing-only", { street: "7 Quay Street" }, true],
    ["/billing-first", { ...home, ship_street: "7 Quay Street", ship_postcode: "BS1 4DJ" }, false],
    ["/two-addresses", { ...home, ship_street: "7 Quay Street", ship_postcode: "BS1 4DJ" }, false],
  ])("is sent from %s with %o", async (path, fields, billingUsesShipTo) => {
    const { port } = server.address() as AddressInfo;
    const { result } = await fixture.drive({
      ...{ store: `http://127.0.0.1:${port}`, cartPath: `/cart${path}`, amountMinor: 2_890, currency: "GBP" },
      fulfillment: { type: "digital", title: "Sent by email", amountMinor: 0, pickupLocation: null },
      deliverTo: GIFT,
    });
    expect(result).toMatchObject({ cause: "confirmed", billingUsesShipTo });
    expect(posted.get(path)).toMatchObject(fields);
  });
});
