/** Returns true if the host name of a URL is a loopback address or name, or empty, as of a Unix socket. */
export function isThisMachine(hostname: string): boolean {
  return /^(?:|localhost|.+\.localhost|127(?:\.\d+){3}|\[?::1\]?)$/i.test(hostname);
}

/** Returns true if a PostgreSQL URL names a server on another machine. A parameter `host` replaces the URL's host. */
export function isRemoteDatabase(databaseUrl: string | undefined): boolean {
  if (databaseUrl === undefined) return false;
  const url = URL.parse(databaseUrl);
  const host = url?.searchParams.get("host") ?? url?.hostname ?? "";
  return !host.startsWith("/") && !isThisMachine(host);
}
