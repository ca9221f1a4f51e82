/** Where this service is: for programs, and for browsers. */

export interface Site {
  /** Whether browsers reach it over https: cookies are `Secure` and carry the `__Host-` prefix. */
  readonly isHttps: boolean;
  /** The public address, without a trailing slash: what programs call and tokens name as their issuer. */
  baseUrl(): string;
  /**
   * The address for people's browsers: the same, except that a loopback IP address becomes `localhost`, for passkeys
   * need a host name (WebAuthn level 3, section 5.1.2). Cookies of the one do not count on the other, so pages are
   * shown on this one alone.
   */
  browserUrl(): string;
}

/** @param baseUrl asked once the service listens: without a configured address, that decides it */
export function createSite(baseUrl: () => string, isHttps: boolean): Site {
  return { isHttps, baseUrl, browserUrl: () => withoutLoopbackIp(baseUrl()) };
}

/**
 * Where a browser belongs that came to a page by another name of this machine; null when it is in the right place.
 * @param host the request's `Host` header
 * @param path the request's path and query
 */
export function canonicalRedirectUrl(site: Site, host: string | undefined, path: string): string | null {
  const right = new URL(site.browserUrl());
  if (host === undefined || host === right.host || right.hostname !== "localhost") return null;
  const given = URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : null;
  if (!given || !isLoopbackIp(given.hostname) || given.port !== right.port) return null;
  return `${right.origin}${path}`;
}

function withoutLoopbackIp(address: string): string {
  const url = new URL(address);
  if (!isLoopbackIp(url.hostname)) return address;
  url.hostname = "localhost";
  return url.href.replace(/\/+$/, "");
}

function isLoopbackIp(hostname: string): boolean {
  return hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
