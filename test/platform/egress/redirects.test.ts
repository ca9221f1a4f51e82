import { expect, test } from "vitest";
import { startServer, textOf } from "./http-server.ts";
import { get, openEgress } from "./open-egress.ts";
import { selfSigned } from "./self-signed.ts";

/** A server that redirects `/` to `location()` and answers everything else. */
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
])("%i turns %s into %s", async (status, method, expected) => {
  const server = await redirecting(status, () => "/next?x=1#y");
  const response = await openEgress().request(get(`${server.url}/`, { ...post, method }));
  expect(await textOf(response.body)).toBe("arrived");
  expect(response.url).toBe(`${server.url}/next?x=1`);
  expect(response.sent.method).toBe(expected);
  const last = server.requests.at(-1);
  expect(last?.method).toBe(expected);
  const keepsBody = method === expected;
  expect(last?.body.toString()).toBe(keepsBody ? post.body : "");
  expect(last?.headers["content-type"]).toBe(keepsBody ? "application/json" : undefined);
});

const SECRETS = {
  "X-PAYMENT": "signed",
  "Payment-Signature": "signed",
  Authorization: "Bearer x",
  Cookie: "a=b",
  "X-Api-Key": "key",
};

test("secret headers stay with their origin, and do not come back with it", async () => {
  const other = await startServer((_request, response) => {
    response.writeHead(307, { location: `${first.url}/last` }).end();
  });
  const first = await redirecting(307, () => `${other.url}/x`);
  const headers = { ...SECRETS, "x-plain": "1" };
  const response = await openEgress().request(get(`${first.url}/`, { headers, secretHeaders: ["X-API-Key"] }));
  await textOf(response.body);
  const [asked] = first.requests;
  expect(asked?.headers).toMatchObject({ "x-payment": "signed", "payment-signature": "signed", "x-api-key": "key" });
  for (const request of [other.requests[0], first.requests[1]]) {
    expect(request?.headers["x-plain"]).toBe("1");
    for (const name of Object.keys(SECRETS)) expect(request?.headers).not.toHaveProperty(name.toLowerCase());
  }
});

test("secret headers go on within their origin", async () => {
  const server = await redirecting(307, () => "/next");
  const response = await openEgress().request(get(`${server.url}/`, { headers: { "x-payment": "signed" } }));
  await textOf(response.body);
  expect(server.requests[1]?.headers["x-payment"]).toBe("signed");
});

test.each(["http://10.0.0.1/", "http://169.254.169.254/", "file:///etc/passwd", "http://user:secret@127.0.0.1/"])(
  "a redirect to %s is refused",
  async (location) => {
    const server = await redirecting(302, () => location);
    await expect(openEgress().request(get(`${server.url}/`))).rejects.toMatchObject({ code: "url_not_allowed" });
  },
);

test("a redirect to a name that leads to a private address is refused", async () => {
  const server = await redirecting(302, () => "http://inside.test/");
  const egress = openEgress({ resolveAll: async () => [{ address: "192.168.0.1", family: 4 }] });
  await expect(egress.request(get(`${server.url}/`))).rejects.toMatchObject({ code: "url_not_allowed" });
});

test("a redirect to something that is no address is the target's fault", async () => {
  const server = await redirecting(302, () => "http://[nonsense/");
  await expect(openEgress().request(get(`${server.url}/`))).rejects.toMatchObject({ code: "target_response_invalid" });
});

test("five redirects are followed, six are not, zero hands the redirect back", async () => {
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

test("https does not lead to http while secrets are there", async () => {
  const tls = selfSigned("shop.test");
  const plain = await startServer((_request, response) => response.end("plain"));
  const secure = await redirecting(307, () => `${plain.url}/x`, tls);
  const egress = openEgress({ trustedCa: tls.cert, resolveAll: async () => [{ address: "127.0.0.1", family: 4 }] });
  const url = `https://shop.test:${secure.port}/`;
  await expect(egress.request(get(url, { headers: { "x-payment": "signed" } }))).rejects.toMatchObject({
    code: "url_not_allowed",
  });
  expect(plain.requests).toHaveLength(0);
  const response = await egress.request(get(url));
  expect(await textOf(response.body)).toBe("plain");
});

test("a redirect whose body does not end keeps no connection", async () => {
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
