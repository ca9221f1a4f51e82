import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { x402Fetch } from "../../../src/payments/proxy/x402-fetch.ts";
import { startServer, textOf } from "../../platform/egress/http-server.ts";
import { input, openDeps, VIEWER } from "./fixtures.ts";

const PRICE = '{"x402Version":1,"accepts":[]}';
const PAGE = `<!doctype html><title>Payment Required</title>${" ".repeat(2_000_000)}`;
const BROWSER = {
  accept: "text/html,application/xhtml+xml,*/*;q=0.8",
  "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Chrome/140",
};

/** Starts a seller whose 402 response is `bytes` with a Content-Encoding, and which responds to a payment with the same. */
const startEncoding = (contentEncoding: string | string[], bytes: Buffer) =>
  startServer((request, response) => {
    response.setHeader("content-encoding", contentEncoding).setHeader("content-type", "application/json");
    response.writeHead(request.headers["x-payment"] ? 200 : 402).end(bytes);
  });

const price = Buffer.from(PRICE);
describe("a 402 response", () => {
  test.each<[string | string[], Buffer]>([
    ["gzip", gzipSync(price)],
    ["X-GZIP", gzipSync(price)],
    ["deflate", deflateSync(price)],
    ["deflate", deflateRawSync(price)],
    ["br", brotliCompressSync(price)],
    ["zstd", zstdCompressSync(price)],
    ["gzip, br", brotliCompressSync(gzipSync(price))],
    ["gzip, identity", gzipSync(price)],
    [["zstd", "gzip"], gzipSync(zstdCompressSync(price))],
    ["", price],
  ])("with the Content-Encoding %j is decoded, and the final body is passed through", async (coding, bytes) => {
    const seller = await startEncoding(coding, bytes);
    const { deps, ledger } = openDeps();
    const result = await x402Fetch(deps, VIEWER, input(seller.url));
    expect(Buffer.from(ledger.orders[0]?.paymentRequired.body ?? []).toString()).toBe(PRICE);
    const chunks: Buffer[] = [];
    for await (const chunk of result.body) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks)).toEqual(bytes);
  });

  test.each<[string, string, Buffer]>([
    ["an unknown coding", "compress", price],
    ["too many codings", "gzip, gzip, gzip, gzip, gzip", price],
    ["invalid bytes", "zstd", price],
    ["a bomb", "zstd", zstdCompressSync(Buffer.alloc(50_000_000))],
    ["a bomb within a chain", "br, gzip", gzipSync(brotliCompressSync(Buffer.alloc(50_000_000)))],
  ])("with %s is refused before payment", async (_name, coding, bytes) => {
    const seller = await startEncoding(coding, bytes);
    const { deps, ledger } = openDeps();
    await expect(x402Fetch(deps, VIEWER, input(seller.url))).rejects.toMatchObject({ code: "target_response_invalid" });
    expect(ledger.orders).toHaveLength(0);
  });

  test("with offers in its header is paid, even if its body cannot be decoded", async () => {
    const seller = await startServer((request, response) => {
      const headers = { "payment-required": "offers", "content-encoding": "compress" };
      if (request.headers["x-payment"]) response.end("paid");
      else response.writeHead(402, headers).end("x");
    });
    const { deps, ledger } = openDeps();
    expect(await textOf((await x402Fetch(deps, VIEWER, input(seller.url))).body)).toBe("paid");
    expect(ledger.orders).toMatchObject([{ paymentRequired: { body: Buffer.alloc(0) } }]);
  });

  test("in a page for browsers is requested again as JSON; the paid request is the caller's", async () => {
    const seller = await startServer((request, response) => {
      const { accept = "", "user-agent": agent = "" } = request.headers;
      if (request.headers["x-payment"]) response.end("paid");
      else if (accept.includes("text/html") && agent.includes("Mozilla")) {
        response.writeHead(402, { "content-type": "text/html; charset=utf-8" }).end(PAGE);
      } else response.writeHead(402, { "content-type": "application/json" }).end(PRICE);
    });
    const { deps, ledger } = openDeps();
    const body = { bytes: Buffer.from('{"q":1}'), contentType: "application/json" };
    const headers = { ...BROWSER, "accept-encoding": "gzip, compress", "x-api-key": "key" };
    const result = await x402Fetch(deps, VIEWER, input(`${seller.url}/p`, { method: "POST", body, headers }));
    expect(await textOf(result.body)).toBe("paid");
    expect(Buffer.from(ledger.orders[0]?.paymentRequired.body ?? []).toString()).toBe(PRICE);
    const sent = seller.requests.map(({ headers: it, method, path }) => [
      `${method} ${path}`,
      it.accept,
      it["user-agent"],
      it["accept-encoding"],
      it["x-api-key"],
    ]);
    expect(sent).toEqual([
      ["POST /p", BROWSER.accept, BROWSER["user-agent"], "gzip", "key"],
      ["POST /p", "application/json", "Satchel", "gzip", "key"],
      ["POST /p", BROWSER.accept, BROWSER["user-agent"], "gzip, compress", "key"],
    ]);
    expect(seller.requests.map((request) => request.body.toString())).toEqual(['{"q":1}', '{"q":1}', '{"q":1}']);
  });

  test("in a page of megabytes with offers in its header is not requested again", async () => {
    const offers = Buffer.from('{"x402Version":2,"accepts":[]}').toString("base64");
    const seller = await startServer((request, response) => {
      if (request.headers["x-payment"]) response.end("paid");
      else response.writeHead(402, { "content-type": "text/html", "payment-required": offers }).end(PAGE);
    });
    const { deps, ledger } = openDeps();
    const result = await x402Fetch(deps, VIEWER, input(seller.url, { headers: BROWSER }));
    expect(await textOf(result.body)).toBe("paid");
    expect(ledger.orders[0]?.paymentRequired.headers["payment-required"]).toBe(offers);
    expect(seller.requests).toHaveLength(2);
  });

  test.each([
    ["another page", 402],
    ["a response that is no 402", 200],
  ])("in a page, and %s as JSON, is refused before payment", async (_name, status) => {
    const seller = await startServer(({ headers }, response) =>
      response
        .writeHead(headers.accept === "application/json" ? status : 402, { "content-type": "text/html" })
        .end(PAGE),
    );
    const { deps, ledger } = openDeps();
    await expect(x402Fetch(deps, VIEWER, input(seller.url, { headers: BROWSER }))).rejects.toMatchObject({
      code: "target_response_invalid",
    });
    expect([seller.requests.length, ledger.orders.length]).toEqual([2, 0]);
  });
});

test("a free target responds to the caller's own Accept and User-Agent, in one request", async () => {
  const seller = await startServer(({ headers }, response) =>
    response.end(`${headers.accept} ${headers["user-agent"]}`),
  );
  const { deps } = openDeps();
  const result = await x402Fetch(deps, VIEWER, input(seller.url, { headers: BROWSER }));
  expect(await textOf(result.body)).toBe(`${BROWSER.accept} ${BROWSER["user-agent"]}`);
  expect(seller.requests).toHaveLength(1);
});

test.each([
  ["gzip, deflate, br, zstd", "gzip, deflate, br, zstd"],
  ["GZIP;q=0.5, dcb, compress, identity;q=0", "gzip;q=0.5, identity;q=0"],
  ["*", "identity"],
  ["compress", "identity"],
  [undefined, "identity"],
])("accepts encodings that the caller accepts and that can be decoded: %j", async (accepted, sent) => {
  const seller = await startServer((_request, response) => response.end("free"));
  const { deps } = openDeps();
  const headers: Record<string, string> = accepted === undefined ? {} : { "Accept-Encoding": accepted };
  await textOf((await x402Fetch(deps, VIEWER, input(seller.url, { headers }))).body);
  expect(seller.requests[0]?.headers["accept-encoding"]).toBe(sent);
});
