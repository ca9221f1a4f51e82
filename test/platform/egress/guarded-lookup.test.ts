import type { LookupAddress } from "node:dns";
import { expect, test } from "vitest";
import type { ResolveAll } from "../../../src/platform/egress/guarded-lookup.ts";
import { startServer, textOf } from "./http-server.ts";
import { get, openEgress } from "./open-egress.ts";
import { selfSigned } from "./self-signed.ts";

const LOOPBACK = { address: "127.0.0.1", family: 4 };
const PRIVATE = { address: "10.0.0.1", family: 4 };
/** Public by every registry, and answers nobody. */
const PUBLIC = { address: "1.0.0.0", family: 4 };

/** A resolver that gives each answer once, the last one for ever, and counts. */
function resolver(...answers: LookupAddress[][]): { resolveAll: ResolveAll; calls: string[] } {
  const calls: string[] = [];
  const resolveAll: ResolveAll = async (hostname) => {
    calls.push(hostname);
    return answers[Math.min(calls.length, answers.length) - 1] ?? [];
  };
  return { resolveAll, calls };
}

test("a name that leads to a private address is refused", async () => {
  const { resolveAll } = resolver([PRIVATE]);
  await expect(openEgress({ resolveAll }).request(get("http://shop.test/"))).rejects.toMatchObject({
    code: "url_not_allowed",
    field: "url",
  });
});

test("one private address among good ones refuses the name", async () => {
  const server = await startServer((_request, response) => response.end("reached"));
  const { resolveAll } = resolver([LOOPBACK, PRIVATE]);
  await expect(openEgress({ resolveAll }).request(get(`http://shop.test:${server.port}/`))).rejects.toMatchObject({
    code: "url_not_allowed",
  });
  expect(server.requests).toHaveLength(0);
});

test("the checked address is the one connected to; the name is not resolved a second time", async () => {
  const server = await startServer((_request, response) => response.end("first answer"));
  const { resolveAll, calls } = resolver([LOOPBACK], [PRIVATE]);
  const response = await openEgress({ resolveAll }).request(get(`http://shop.test:${server.port}/`));
  expect(await textOf(response.body)).toBe("first answer");
  expect(server.requests[0]?.headers.host).toBe(`shop.test:${server.port}`);
  expect(calls).toEqual(["shop.test"]);
});

test("a name that turns from public to loopback never reaches loopback", async () => {
  const server = await startServer((_request, response) => response.end("reached"));
  const { resolveAll, calls } = resolver([PUBLIC], [LOOPBACK]);
  const egress = openEgress({ allowLoopback: false, resolveAll, connectTimeoutMs: 100 });
  const url = `http://shop.test:${server.port}/`;
  await expect(egress.request(get(url, { timeoutMs: 300 }))).rejects.toMatchObject({ code: /^target_/ });
  expect(calls).toHaveLength(1);
  await expect(egress.request(get(url))).rejects.toMatchObject({ code: "url_not_allowed" });
  expect(server.requests).toHaveLength(0);
});

test("a name without an address cannot be reached", async () => {
  const { resolveAll } = resolver([]);
  await expect(openEgress({ resolveAll }).request(get("http://shop.test/"))).rejects.toMatchObject({
    code: "target_unreachable",
  });
});

test("over TLS the certificate is the name's, although the address is pinned", async () => {
  const tls = selfSigned("shop.test");
  const server = await startServer((_request, response) => response.end("secure"), tls);
  const { resolveAll } = resolver([LOOPBACK]);
  const egress = openEgress({ resolveAll, trustedCa: tls.cert });
  const response = await egress.request(get(`https://shop.test:${server.port}/`));
  expect(await textOf(response.body)).toBe("secure");
  await expect(egress.request(get(`https://other.test:${server.port}/`))).rejects.toMatchObject({
    code: "target_unreachable",
    cause: { code: "ERR_TLS_CERT_ALTNAME_INVALID" },
  });
});
