import { expect, test } from "vitest";
import { startServer } from "./http-server.ts";
import { get, openEgress } from "./open-egress.ts";

const LOOPBACK = [
  "127.0.0.1",
  "127.1",
  "2130706433",
  "0x7f000001",
  "0x7f.1",
  "0177.0.0.1",
  "017700000001",
  "127.0.0.1.",
  "１２７．０．０．１",
  "%31%32%37.0.0.1",
  "localhost",
  "LOCALHOST",
  "localhost.",
  "api.localhost",
  "[::1]",
  "[0:0:0:0:0:0:0:1]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
];

test.each(LOOPBACK)("rejects http://%s without sending a request", async (host) => {
  const server = await startServer((_request, response) => response.end("reached"));
  // The resolver returns a public address for every name: loopback names must be rejected regardless of DNS.
  const egress = openEgress({ allowLoopback: false, resolveAll: async () => [{ address: "8.8.8.8", family: 4 }] });
  await expect(egress.request(get(`http://${host}:${server.port}/`))).rejects.toMatchObject({
    code: "url_not_allowed",
    field: "url",
  });
  expect(server.requests).toHaveLength(0);
});

test.each([
  "http://0/",
  "http://0.0.0.0/",
  "http://[::]/",
  "http://10.0.0.1/",
  "http://192.168.0.1:8080/",
  "http://169.254.169.254/latest/meta-data/",
  "http://⑯⑨.254。169｡254/",
  "http://100.64.0.1/",
  "http://[fd00::1]/",
  "http://[fe80::1]/",
  "http://[64:ff9b::7f00:1]/",
  "http://[2002:7f00:1::]/",
  "ftp://example.com/",
  "file:///etc/passwd",
  "data:text/plain,hello",
  "javascript:alert(1)",
  "http://user@example.com/",
  "http://user:secret@example.com/",
  "https://:secret@example.com/",
])("rejects %s even with allowLoopback", async (url) => {
  await expect(openEgress().request(get(url))).rejects.toMatchObject({ code: "url_not_allowed", field: "url" });
});

test.each(["", "not an address", "/relative", "http://", "http://[::1%25eth0]/"])(
  "rejects %j as malformed",
  async (url) => {
    await expect(openEgress().request(get(url))).rejects.toMatchObject({ code: "invalid_request", field: "url" });
  },
);

test.each(["127.0.0.1", "127.1", "localhost", "[::ffff:127.0.0.1]"])(
  "connects to %s with allowLoopback",
  async (host) => {
    const server = await startServer((_request, response) => response.end("reached"));
    const response = await openEgress().request(get(`http://${host}:${server.port}/a?b=c#d`));
    response.body.resume();
    expect(response.status).toBe(200);
    expect(server.requests[0]?.path).toBe("/a?b=c");
    expect(response.url).toMatch(/\/a\?b=c$/);
  },
);
