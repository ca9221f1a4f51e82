/**
 * An X402 seller that responds immediately: `/free` with 200, `/paid` with 402, or with 200 if a payment is attached. It settles
 * nothing.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createOffer } from "../harness/offer.ts";
import { serveParent } from "../harness/serve-parent.ts";

const RESOURCE_BODY = JSON.stringify({
  place: "Porto",
  temperatureC: 21.5,
  sky: "clear",
  wind: { from: "NW", metersPerSecond: 4 },
});

const server = createServer((request, response) => {
  request.resume();
  response.setHeader("content-type", "application/json");
  if (request.url === "/paid" && request.headers["payment-signature"] === undefined) {
    response.writeHead(402, { "payment-required": paymentRequired }).end("{}");
  } else response.end(RESOURCE_BODY);
});
server.keepAliveTimeout = 30_000;
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const paymentRequired = Buffer.from(JSON.stringify(createOffer(`${origin}/paid`))).toString("base64");
serveParent(origin);
