import { fastify } from "fastify";
import { expect, test } from "vitest";
import { createClientIp } from "../../../src/platform/http/client-address.ts";

test.each([
  [[], "198.51.100.1", "203.0.113.9", "198.51.100.1"],
  [["10.0.0.0/8"], "10.1.2.3", "203.0.113.9", "203.0.113.9"],
  [["10.0.0.0/8"], "10.1.2.3", undefined, "10.1.2.3"],
  [["10.0.0.0/8"], "10.1.2.3", "6.6.6.6, 203.0.113.9", "203.0.113.9"],
  [["10.0.0.0/8", "192.0.2.7"], "10.1.2.3", "203.0.113.9, 192.0.2.7", "203.0.113.9"],
  [["10.0.0.0/8"], "198.51.100.1", "203.0.113.9", "198.51.100.1"],
  [["loopback"], "::1", "2001:db8::1", "2001:db8::1"],
])(
  "with trusted proxies %j, peer %s and X-Forwarded-For %s, the client address is %s, as in Fastify",
  async (trusted, peer, forwardedFor, expected) => {
    const clientIp = createClientIp(trusted);
    const app = fastify({ trustProxy: trusted.length > 0 ? trusted : false });
    app.get("/", (request) => [clientIp(request.raw), request.ip]);
    const headers = forwardedFor === undefined ? {} : { "x-forwarded-for": forwardedFor };
    const response = await app.inject({ url: "/", remoteAddress: peer, headers });
    expect(response.json()).toEqual([expected, expected]);
  },
);
