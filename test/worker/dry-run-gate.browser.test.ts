/** The gate of a dry run against a shop that tries to order as soon as its pages load. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { installDryRunGate } from "../../src/worker/checkout/dry-run-gate.ts";
import { merchantOriginsOf } from "../../src/worker/checkout/merchant-origins.ts";
import { type SharedWorkerBrowser, sharedWorkerBrowser } from "./shared-worker-browser.ts";

let browser: SharedWorkerBrowser;
let server: Server;
let shopUrl: string;
let processorUrl: string;
/** Method and path of every request that arrived, of the shop and of the processor. */
const arrived: string[] = [];

beforeAll(async () => {
  browser = await sharedWorkerBrowser();
  server = createServer((request, response) => {
    const host = request.headers.host?.split(":")[0] === "localhost" ? "processor" : "shop";
    arrived.push(`${host} ${request.method} ${request.url}`);
    request.resume();
    response.setHeader("access-control-allow-origin", "*");
    response.setHeader("content-type", "text/html").end("<!doctype html><title>Shop</title>");
  });
  server.on("upgrade", (request, socket) => {
    socket.on("error", () => {});
    arrived.push(`socket ${request.url}`);
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as AddressInfo;
  shopUrl = `http://127.0.0.1:${port}`;
  processorUrl = `http://localhost:${port}`;
});
afterAll(() => server?.close());

/** Opens the shop behind a gate and sends requests from its page. Returns those that arrived. */
async function send(requests: readonly (readonly [method: string, url: string, body?: string])[], isShut = false) {
  const context = await browser.openContext();
  try {
    const gate = await installDryRunGate(context, {
      merchantOrigins: merchantOriginsOf(shopUrl, []),
      job: { processorOrigins: [processorUrl], issuerOrigins: [] },
      isPayPath: (url) => new URL(url).pathname === "/step/last",
    });
    const page = await context.newPage();
    await page.goto(`${shopUrl}/cart`);
    arrived.length = 0;
    if (isShut) gate.shut();
    for (const [method, url, body] of requests) {
      const init = method === "GET" ? { method } : { method, body: body ?? "a=1" };
      await page.evaluate(([address, options]) => fetch(address as string, options as RequestInit).catch(() => null), [
        url.startsWith("/") ? shopUrl + url : url,
        init,
      ] as const);
    }
    return [...arrived].filter((line) => !line.includes("favicon"));
  } finally {
    await context.close();
  }
}

it("lets address forms and prices through", async () => {
  const steps = [
    ["POST", "/checkout/address"],
    ["POST", "/?wc-ajax=update_order_review"],
    ["PUT", "/rest/V1/carts/mine/shipping-information"],
    ["POST", "/api/graphql", '{"query":"mutation setShippingAddressesOnCart { x }"}'],
    ["GET", "/api/checkout/totals"],
  ] as const;
  expect(await send(steps)).toEqual(steps.map(([method, path]) => `shop ${method} ${path}`));
});

it.each([
  ["/checkout/place-order"],
  ["/checkout/placeOrder"],
  ["/?wc-ajax=checkout"],
  ["/wc/store/v1/checkout"],
  ["/rest/V1/guest-carts/x/payment-information"],
  ["/api/storefront/checkouts/1/orders"],
  ["/checkout/pay"],
  ["/orders"],
  ["/step/last"],
])("refuses POST %s, which places an order", async (path) => {
  expect(await send([["POST", path]])).toEqual([]);
});

it.each([
  ['{"operationName":"SubmitForCompletion","query":"mutation SubmitForCompletion { submitForCompletion }"}'],
  ['{"query":"mutation { placeOrder(input: {}) { order { number } } }"}'],
  ['{"query":"mutation complete { checkoutComplete(id: 1) { order { id } } }"}'],
  ["billing_email=ada%40example.com&woocommerce_checkout_place_order=Place+order"],
])("refuses the body %s", async (body) => {
  expect(await send([["POST", "/checkout/", body]])).toEqual([]);
});

it("refuses every message to a processor, but loads its scripts", async () => {
  const requests = [
    ["POST", `${processorUrl}/v1/payment_methods`],
    ["GET", `${processorUrl}/v3/elements.js`],
  ] as const;
  expect(await send(requests)).toEqual(["processor GET /v3/elements.js"]);
});

it("refuses every change once it is shut", async () => {
  expect(await send([["POST", "/checkout/address"]], true)).toEqual([]);
});
