/** A shop on loopback that asks for payment and remembers what it was sent. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export const SELLER = "0x1111111111111111111111111111111111111111";
export const STRANGER = "0x2222222222222222222222222222222222222222";

/** The body of a version 1 402 with one entry of `exact` on base-sepolia, with `changes`. */
export function offer(changes: object = {}) {
  const entry = {
    scheme: "exact",
    network: "base-sepolia",
    maxAmountRequired: "1000",
    resource: "http://shop.test/",
    payTo: SELLER,
    maxTimeoutSeconds: 60,
    asset: "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
    ...changes,
  };
  return { x402Version: 1, accepts: [entry] };
}

/** @param answerPaid answers a request that carries a payment */
export async function openShop(changes: object, answerPaid: (response: ServerResponse) => void) {
  const payments: string[] = [];
  const server = createServer((request, response) => {
    const payment = request.headers["x-payment"];
    if (typeof payment === "string") {
      payments.push(payment);
      answerPaid(response);
      return;
    }
    response.writeHead(402, { "content-type": "application/json" }).end(JSON.stringify(offer(changes)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { url, payments, close: () => server.close() };
}
