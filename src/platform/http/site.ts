/** The public URLs of this service, for API clients and for browsers. */

export interface Site {
  /** Whether browsers connect with https. Cookies are then `Secure` and have the `__Host-` prefix. */
  readonly isHttps: boolean;
  /** Returns the base URL of the API, without a trailing slash. It is also the issuer of tokens. */
  baseUrl(): string;
  /**
   * Returns the base URL of the pages. A loopback IP address becomes `localhost`, because passkeys require a host name (WebAuthn
   * level 3, section 5.1.2). The two hosts do not share cookies, so pages use this URL only.
   */
  browserUrl(): string;
}

/** @param baseUrl called once, and only after the service listens, since the listening address is the default */
export function createSite(baseUrl: () => string, isHttps: boolean): Site {
  let listening: string | undefined;
  const readOnce = () => {
    listening ??= baseUrl();
    return listening;
  };
  return { isHttps, baseUrl: readOnce, browserUrl: () => withoutLoopbackIp(readOnce()) };
}

/**
 * Returns the URL to redirect to if a browser requests a page by another loopback name of this machine, else null.
 *
 * @param host the request's `Host` header
 * @param path the request's path and query
 */
export function canonicalRedirectUrl(site: Site, host: string | undefined, path: string): string | null {
  const canonical = new URL(site.browserUrl());
  if (host === undefined || host === canonical.host || canonical.hostname !== "localhost") return null;
  const requested = URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : null;
  if (!requested || !isLoopbackIp(requested.hostname) || requested.port !== canonical.port) return null;
  return `${canonical.origin}${path}`;
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
