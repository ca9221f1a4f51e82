import type { IncomingMessage } from "node:http";
import proxyAddr from "@fastify/proxy-addr";
import ipaddr from "ipaddr.js";

/**
 * Who a request comes from where fastify does not see it, as on a WebSocket's upgrade: the same answer as fastify's
 * `request.ip`.
 *
 * @param trustedProxies addresses and networks whose X-Forwarded-For counts (`TRUST_PROXY`)
 */
export function createClientIp(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const isTrusted = trustedProxies.length > 0 ? proxyAddr.compile([...trustedProxies]) : () => false;
  // The peer's address is gone once it has hung up.
  return (request) => proxyAddr(request, isTrusted) ?? "";
}

/**
 * Whom an address belongs to, as far as it tells, for counting what comes from one place: an IPv6 customer has a /64 of their own,
 * and all of it counts as one.
 */
export function networkOf(ip: string | null): string {
  if (ip === null || !ipaddr.isValid(ip)) return "unknown";
  const address = ipaddr.process(ip);
  return address.kind() === "ipv4" ? address.toString() : address.toByteArray().slice(0, 8).join(".");
}
