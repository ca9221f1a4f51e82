/** The Storefront API's deferred answers, as networks cut them into pieces. */
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
const part = (body: object) => `--graphql\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(body)}\r\n`;
const late = { path: ["cart"], data: { deliveryGroups: { nodes: [{ id: "group", deliveryOptions: [option] }] } } };
const answer = `${part({ data: { cart: {} }, hasNext: true })}${part({ incremental: [late], hasNext: false })}--graphql--\r\n`;

const egress = createEgress({ allowLoopback: true });
let cutAt = 0;
/** Long enough for the first piece to be read by itself. */
const PIECES_APART_MS = 5;
/** Answers in two pieces. */
const shop = createServer((request, response) => {
  request.resume();
  response.setHeader("content-type", 'multipart/mixed; boundary="graphql"; deferSpec=20220824');
  response.write(answer.slice(0, cutAt), () => setTimeout(() => response.end(answer.slice(cutAt)), PIECES_APART_MS));
});

beforeAll(() => new Promise<void>((resolve) => void shop.listen(0, "127.0.0.1", resolve)));
afterAll(async () => {
  await egress.close();
  shop.close();
});

it("reads them wherever they are cut", async () => {
  const url = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
  for (cutAt = 1; cutAt < answer.length; cutAt += 1) {
    const groups = await readDelivery(egress, url, "cart");
    expect(groups.map(({ deliveryOptions }) => deliveryOptions.length)).toEqual([1]);
  }
});
