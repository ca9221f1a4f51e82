import type { IncomingMessage } from "node:http";
import proxyAddr from "@fastify/proxy-addr";
import ipaddr from "ipaddr.js";

/**
 * Creates a function that returns a request's client address, as Fastify's `request.ip` does. For requests that bypass
 * Fastify, such as WebSocket upgrades.
 *
 * @param trustedProxies addresses and networks whose X-Forwarded-For header is trusted (`TRUST_PROXY`)
 */
export function createClientIp(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const isTrusted = trustedProxies.length > 0 ? proxyAddr.compile([...trustedProxies]) : () => false;
  // After a disconnect the peer address is undefined.
  return (request) => proxyAddr(request, isTrusted) ?? "";
}

/**
 * Returns a key for counting by client network: an IPv4 address or an IPv6 /64, since each IPv6 customer receives at least a /64.
 */
export function networkOf(ip: string | null): string {
  if (ip === null || !ipaddr.isValid(ip)) return "unknown";
  const address = ipaddr.process(ip);
  return address.kind() === "ipv4" ? address.toString() : address.toByteArray().slice(0, 8).join(".");
}

/** Returns a key for counting by the network of one provider's customer: an IPv4 /24 or an IPv6 /48. */
export function wideNetworkOf(ip: string | null): string {
  if (ip === null || !ipaddr.isValid(ip)) return "unknown";
  const address = ipaddr.process(ip);
  return address.kind() === "ipv4"
    ? `${address.toByteArray().slice(0, 3).join(".")}.0/24`
    : `${address.toByteArray().slice(0, 6).join(".")}/48`;
}
