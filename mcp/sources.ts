/** Checks of the `Host` and `Origin` headers against DNS rebinding (MCP 2026-07-28, "Streamable HTTP", security warning). */
import type { Site } from "../src/platform/http/site.ts";

/** Returns whether the host is one of this service. A service on a loopback address has all loopback names. */
export function isHostAllowed(site: Site, hostname: string): boolean {
  const own = [site.baseUrl(), site.browserUrl()].map((url) => new URL(url).hostname);
  const given = URL.canParse(`http://${hostname}`) ? new URL(`http://${hostname}`).hostname : "";
  return own.includes(given) || (own.some(isLoopback) && isLoopback(given));
}

export function isOriginOfSite(site: Site, origin: string): boolean {
  return [site.baseUrl(), site.browserUrl()].some((url) => new URL(url).origin === origin);
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
