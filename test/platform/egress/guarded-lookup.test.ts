import type { LookupAddress } from "node:dns";
import { expect, test } from "vitest";
import { selfSigned } from "../../../sandbox/app/self-signed.ts";
import type { ResolveAll } from "../../../src/platform/egress/guarded-lookup.ts";
import { startServer, textOf } from "./http-server.ts";
import { get, openEgress } from "./open-egress.ts";

const LOOPBACK = { address: "127.0.0.1", family: 4 };
const PRIVATE = { address: "10.0.0.1", family: 4 };
/** A public address without a server. */
const PUBLIC = { address: "1.0.0.0", family: 4 };

/** Creates a resolver that returns each result once, then the last one repeatedly, and records the host names. */
function createResolver(...results: LookupAddress[][]): { resolveAll: ResolveAll; calls: string[] } {
  const calls: string[] = [];
  const resolveAll: ResolveAll = async (hostname) => {
    calls.push(hostname);
    return results[Math.min(calls.length, results.length) - 1] ?? [];
  };
  return { resolveAll, calls };
}

test("rejects a host name that resolves to a private address", async () => {
  const { resolveAll } = createResolver([PRIVATE]);
  await expect(openEgress({ resolveAll }).request(get("http://seller.test/"))).rejects.toMatchObject({
    code: "url_not_allowed",
    field: "url",
  });
});

test("rejects a host name if one of its addresses is private", async () => {
  const server = await startServer((_request, response) => response.end("reached"));
  const { resolveAll } = createResolver([LOOPBACK, PRIVATE]);
  await expect(openEgress({ resolveAll }).request(get(`http://seller.test:${server.port}/`))).rejects.toMatchObject({
    code: "url_not_allowed",
  });
  expect(server.requests).toHaveLength(0);
});

test("connects to the checked address without resolving the host name again", async () => {
  const server = await startServer((_request, response) => response.end("reached"));
  const { resolveAll, calls } = createResolver([LOOPBACK], [PRIVATE]);
  const response = await openEgress({ resolveAll }).request(get(`http://seller.test:${server.port}/`));
  expect(await textOf(response.body)).toBe("reached");
  expect(server.requests[0]?.headers.host).toBe(`seller.test:${server.port}`);
  expect(calls).toEqual(["seller.test"]);
});

test("never connects to loopback if a host name changes from a public to a loopback address", async () => {
  const server = await startServer((_request, response) => response.end("reached"));
  const { resolveAll, calls } = createResolver([PUBLIC], [LOOPBACK]);
  const egress = openEgress({ allowLoopback: false, resolveAll, connectTimeoutMs: 100 });
  const url = `http://seller.test:${server.port}/`;
  await expect(egress.request(get(url, { timeoutMs: 300 }))).rejects.toMatchObject({ code: /^target_/ });
  expect(calls).toHaveLength(1);
  await expect(egress.request(get(url))).rejects.toMatchObject({ code: "url_not_allowed" });
  expect(server.requests).toHaveLength(0);
});

test("reports a host name without addresses as unreachable", async () => {
  const { resolveAll } = createResolver([]);
  await expect(openEgress({ resolveAll }).request(get("http://seller.test/"))).rejects.toMatchObject({
    code: "target_unreachable",
  });
});

test("verifies the TLS certificate against the host name", async () => {
  const tls = selfSigned("seller.test");
  const server = await startServer((_request, response) => response.end("secure"), tls);
  const { resolveAll } = createResolver([LOOPBACK]);
  const egress = openEgress({ resolveAll, trustedCa: tls.cert });
  const response = await egress.request(get(`https://seller.test:${server.port}/`));
  expect(await textOf(response.body)).toBe("secure");
  await expect(egress.request(get(`https://other.test:${server.port}/`))).rejects.toMatchObject({
    code: "target_unreachable",
    cause: { code: "ERR_TLS_CERT_ALTNAME_INVALID" },
  });
});
