/** Servers that accept HTTP/2 only: they refuse a TLS connection that offers HTTP/1.1 alone. */
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from "node:http2";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { selfSigned } from "../../../sandbox/app/self-signed.ts";
import { textOf } from "./http-server.ts";
import { get, openEgress } from "./open-egress.ts";

const HOST = "seller.test";
const tls = selfSigned(HOST);

type Handler = (request: Http2ServerRequest, response: Http2ServerResponse) => unknown;

/** Starts a server that speaks HTTP/2 only. Returns its URL, and the number of TLS connections that it refused. */
async function startHttp2Server(handle: Handler) {
  const server = createSecureServer({ ...tls, settings: { maxHeaderListSize: 200_000 } }, handle);
  const counts = { refused: 0 };
  server.on("tlsClientError", () => counts.refused++);
  server.on("session", (session) => onTestFinished(() => session.destroy()));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void server.close());
  return { url: `https://${HOST}:${(server.address() as AddressInfo).port}`, counts };
}

const openTrusting = (address = "127.0.0.1") =>
  openEgress({ trustedCa: tls.cert, resolveAll: async () => [{ address, family: 4 }] });

test("sends a request over HTTP/2, and refuses HTTP/1.1 only once", async () => {
  const server = await startHttp2Server(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    response.setHeader("set-cookie", ["a=1", "b=2"]);
    response.setHeader("x-payment-seen", String(request.headers["x-payment"]));
    response.end(`${request.httpVersion} ${request.method} ${request.url} ${Buffer.concat(chunks)}`);
  });
  const egress = openTrusting();
  const headers = { "X-Payment": "signed", "content-type": "text/plain" };
  const response = await egress.request(get(`${server.url}/p?q=1`, { method: "POST", headers, body: "hello" }));
  expect(await textOf(response.body)).toBe("2.0 POST /p?q=1 hello");
  expect(response.headers).toMatchObject({ "set-cookie": ["a=1", "b=2"], "x-payment-seen": "signed" });
  expect(Object.keys(response.headers).some((name) => name.startsWith(":"))).toBe(false);
  const responses = await Promise.all([1, 2, 3].map((n) => egress.request(get(`${server.url}/${n}`))));
  expect(await Promise.all(responses.map(({ body }) => textOf(body)))).toEqual([1, 2, 3].map((n) => `2.0 GET /${n} `));
  expect(server.counts.refused).toBe(1);
});

test("reads a PAYMENT-REQUIRED header of 60 KB over HTTP/2", async () => {
  const value = "x".repeat(60_000);
  const server = await startHttp2Server((_request, response) => {
    response.writeHead(402, { "payment-required": value }).end("{}");
  });
  const response = await openTrusting().request(get(server.url));
  expect([response.status, response.headers["payment-required"], await textOf(response.body)]).toEqual([
    402,
    value,
    "{}",
  ]);
});

test("follows a redirect and streams a large body over HTTP/2", async () => {
  const server = await startHttp2Server((request, response) => {
    if (request.url === "/large") response.end(Buffer.alloc(3_000_000, 97));
    else response.writeHead(302, { location: "/large" }).end();
  });
  const { body, url } = await openTrusting().request(get(`${server.url}/`));
  expect(url).toBe(`${server.url}/large`);
  expect((await textOf(body)).length).toBe(3_000_000);
});

test("does not connect to an address that is not allowed", async () => {
  const server = await startHttp2Server((_request, response) => response.end());
  await expect(openTrusting("10.0.0.1").request(get(server.url))).rejects.toMatchObject({ code: "url_not_allowed" });
});

test("times out without response headers, can be aborted, and remains usable", async () => {
  let requests = 0;
  const server = await startHttp2Server((request, response) => {
    requests++;
    if (request.url === "/next") response.end("served");
  });
  const egress = openTrusting();
  await expect(egress.request(get(server.url, { timeoutMs: 200 }))).rejects.toMatchObject({ code: "target_timeout" });
  const caller = new AbortController();
  const pending = egress.request(get(server.url, { signal: caller.signal }));
  await expect.poll(() => requests).toBe(2);
  caller.abort(new Error("gone"));
  await expect(pending).rejects.toThrow("gone");
  expect(await textOf((await egress.request(get(`${server.url}/next`))).body)).toBe("served");
});

test("reports a reset stream as unreachable", async () => {
  const server = await startHttp2Server((_request, response) => response.stream.close(2));
  await expect(openTrusting().request(get(server.url))).rejects.toMatchObject({ code: "target_unreachable" });
});
