/** X402 seller on loopback that records the payments it receives. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export const SELLER = "0x1111111111111111111111111111111111111111";
export const OTHER_SELLER = "0x2222222222222222222222222222222222222222";

/** Creates the body of a 402 response of X402 version 1 with one `exact` entry on base-sepolia, modified by `changes`. */
export function createOffer(changes: object = {}) {
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

/** @param respondToPaid responds to a request with a payment */
export async function openSeller(changes: object, respondToPaid: (response: ServerResponse) => void) {
  const payments: string[] = [];
  const server = createServer((request, response) => {
    const payment = request.headers["x-payment"];
    if (typeof payment === "string") {
      payments.push(payment);
      respondToPaid(response);
      return;
    }
    response.writeHead(402, { "content-type": "application/json" }).end(JSON.stringify(createOffer(changes)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { url, payments, close: () => server.close() };
}
