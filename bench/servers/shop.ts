/** A shop that answers at once: `/free` with 200, `/paid` with 402, then with 200 for any payment. Nothing is settled. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { answerParent } from "../harness/answer-parent.ts";
import { offerFor } from "../harness/offer.ts";

const GOODS = JSON.stringify({
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
  } else response.end(GOODS);
});
server.keepAliveTimeout = 30_000;
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const paymentRequired = Buffer.from(JSON.stringify(offerFor(`${origin}/paid`))).toString("base64");
answerParent(origin);
