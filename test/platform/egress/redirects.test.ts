import { expect, test } from "vitest";
import { selfSigned } from "../../../sandbox/app/self-signed.ts";
import { startServer, textOf } from "./http-server.ts";
import { get, openEgress } from "./open-egress.ts";

/** Starts a server that redirects `/` to `location()` and responds to all other paths. */
const redirecting = (status: number, location: () => string, tls?: { key: string; cert: string }) =>
  startServer((request, response) => {
    if (request.url === "/") response.writeHead(status, { location: location() }).end("moved");
    else response.end("arrived");
  }, tls);

const post = { method: "POST", headers: { "content-type": "application/json" }, body: '{"a":1}' };

test.each([
  [301, "POST", "GET"],
  [302, "POST", "GET"],
  [303, "POST", "GET"],
  [303, "PUT", "GET"],
  [301, "PUT", "PUT"],
  [302, "DELETE", "DELETE"],
  [307, "POST", "POST"],
  [308, "POST", "POST"],
])("a redirect with %i after %s sends %s", async (status, method, expected) => {
  const server = await redirecting(status, () => "/next?x=1#y");
  const response = await openEgress().request(get(`${server.url}/`, { ...post, method }));
  expect(await textOf(response.body)).toBe("arrived");
  expect(response.url).toBe(`${server.url}/next?x=1`);
  expect(response.sent.method).toBe(expected);
  const last = server.requests.at(-1);
  expect(last?.method).toBe(expected);
  const hasBody = method === expected;
  expect(last?.body.toString()).toBe(hasBody ? post.body : "");
  expect(last?.headers["content-type"]).toBe(hasBody ? "application/json" : undefined);
});

const SECRETS = {
  "X-PAYMENT": "signed",
  "Payment-Signature": "signed",
  Authorization: "Bearer x",
  Cookie: "a=b",
  "X-Api-Key": "key",
};

test("removes secret headers on a cross-origin redirect, also after a redirect back", async () => {
  const other = await startServer((_request, response) => {
    response.writeHead(307, { location: `${first.url}/last` }).end();
  });
  const first = await redirecting(307, () => `${other.url}/x`);
  const headers = { ...SECRETS, "x-plain": "1" };
  const response = await openEgress().request(get(`${first.url}/`, { headers, secretHeaders: ["X-API-Key"] }));
  await textOf(response.body);
  const [firstRequest] = first.requests;
  expect(firstRequest?.headers).toMatchObject({
    "x-payment": "signed",
    "payment-signature": "signed",
    "x-api-key": "key",
  });
  for (const request of [other.requests[0], first.requests[1]]) {
    expect(request?.headers["x-plain"]).toBe("1");
    for (const name of Object.keys(SECRETS)) expect(request?.headers).not.toHaveProperty(name.toLowerCase());
  }
});

test("sends secret headers after a redirect within the origin", async () => {
  const server = await redirecting(307, () => "/next");
  const response = await openEgress().request(get(`${server.url}/`, { headers: { "x-payment": "signed" } }));
  await textOf(response.body);
  expect(server.requests[1]?.headers["x-payment"]).toBe("signed");
});

test.each(["http://10.0.0.1/", "http://169.254.169.254/", "file:///etc/passwd", "http://user:secret@127.0.0.1/"])(
  "rejects a redirect to %s",
  async (location) => {
    const server = await redirecting(302, () => location);
    await expect(openEgress().request(get(`${server.url}/`))).rejects.toMatchObject({ code: "url_not_allowed" });
  },
);

test("rejects a redirect to a host name that resolves to a private address", async () => {
  const server = await redirecting(302, () => "http://inside.test/");
  const egress = openEgress({ resolveAll: async () => [{ address: "192.168.0.1", family: 4 }] });
  await expect(egress.request(get(`${server.url}/`))).rejects.toMatchObject({ code: "url_not_allowed" });
});

test("reports a redirect to an invalid URL as an invalid response", async () => {
  const server = await redirecting(302, () => "http://[nonsense/");
  await expect(openEgress().request(get(`${server.url}/`))).rejects.toMatchObject({ code: "target_response_invalid" });
});

test("follows five redirects, rejects six, and returns the redirect with maxRedirects 0", async () => {
  const server = await startServer((request, response) => {
    const left = Number(request.url?.slice(1));
    if (left > 0) response.writeHead(302, { location: `/${left - 1}` }).end();
    else response.end("arrived");
  });
  const egress = openEgress();
  expect(await textOf((await egress.request(get(`${server.url}/5`))).body)).toBe("arrived");
  await expect(egress.request(get(`${server.url}/6`))).rejects.toMatchObject({ code: "target_response_invalid" });
  const response = await egress.request(get(`${server.url}/1`, { maxRedirects: 0 }));
  response.body.resume();
  expect(response.status).toBe(302);
});

test("rejects a redirect from https to http while the request has secret headers", async () => {
  const tls = selfSigned("seller.test");
  const plain = await startServer((_request, response) => response.end("plain"));
  const secure = await redirecting(307, () => `${plain.url}/x`, tls);
  const egress = openEgress({ trustedCa: tls.cert, resolveAll: async () => [{ address: "127.0.0.1", family: 4 }] });
  const url = `https://seller.test:${secure.port}/`;
  await expect(egress.request(get(url, { headers: { "x-payment": "signed" } }))).rejects.toMatchObject({
    code: "url_not_allowed",
  });
  expect(plain.requests).toHaveLength(0);
  const response = await egress.request(get(url));
  expect(await textOf(response.body)).toBe("plain");
});

test("closes the connection of a redirect with an endless body", async () => {
  const closed = Promise.withResolvers<void>();
  const server = await startServer((request, response) => {
    if (request.url !== "/") return response.end("there");
    response.once("close", closed.resolve);
    return response.writeHead(302, { location: "/there", "content-length": "60000" }).write("a");
  });
  const response = await openEgress().request(get(`${server.url}/`));
  expect(await textOf(response.body)).toBe("there");
  await closed.promise;
});
