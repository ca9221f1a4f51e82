/** Deferred responses of the Storefront API, split into chunks by the network. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readDelivery } from "../../src/checkout/storefront/cart.ts";
import { createEgress } from "../../src/platform/egress/egress.ts";

const option = {
  handle: "standard",
  title: "Standard",
  deliveryMethodType: "SHIPPING",
  estimatedCost: { amount: "3.95", currencyCode: "GBP" },
};
const createPart = (body: object) => `--graphql\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(body)}\r\n`;
const deferred = { path: ["cart"], data: { deliveryGroups: { nodes: [{ id: "group", deliveryOptions: [option] }] } } };
const body = `${createPart({ data: { cart: {} }, hasNext: true })}${createPart({ incremental: [deferred], hasNext: false })}--graphql--\r\n`;

const egress = createEgress({ allowLoopback: true });
let cutAt = 0;
/** Long enough for the first chunk to be read separately. */
const CHUNK_INTERVAL_MS = 5;
/** Responds in two chunks. */
const server = createServer((request, response) => {
  request.resume();
  response.setHeader("content-type", 'multipart/mixed; boundary="graphql"; deferSpec=20220824');
  response.write(body.slice(0, cutAt), () => setTimeout(() => response.end(body.slice(cutAt)), CHUNK_INTERVAL_MS));
});

beforeAll(() => new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve)));
afterAll(async () => {
  await egress.close();
  server.close();
});

it("reads the response for every split position", async () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (cutAt = 1; cutAt < body.length; cutAt += 1) {
    const groups = await readDelivery(egress, url, "cart");
    expect(groups.map(({ deliveryOptions }) => deliveryOptions.length)).toEqual([1]);
  }
});
