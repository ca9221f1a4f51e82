import type { IncomingMessage } from "node:http";
import proxyAddr from "@fastify/proxy-addr";

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
