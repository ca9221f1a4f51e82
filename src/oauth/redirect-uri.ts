import type { Client } from "./clients/find-client.ts";

/**
 * Redirect URIs of the command line client: http on a loopback host, any port, one path (spec section 4.2, RFC 8252
 * section 7.3).
 */
const COMMAND_LINE = /^http:\/\/(?:localhost|127\.0\.0\.1):([1-9]\d{0,4})\/callback$/;
/** Applied to the raw text: URL parsers accept other spellings of a loopback address, such as `127.1`. */
const LOOPBACK = /^(?<host>http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::(?<port>[1-9]\d{0,4}))?(?<rest>[/?].*)?$/s;
const MAX_PORT = 65_535;

/**
 * Returns true if the client registered this redirect URI. URIs are compared byte for byte, without normalization:
 * `a/../b` is not `b`. For a native client, the port of a loopback URI may differ (RFC 8252 section 7.3).
 */
export function isRegisteredRedirect(
  client: Pick<Client, "kind" | "redirectUris" | "isRestricted">,
  redirectUri: string,
): boolean {
  if (client.kind === "command_line") {
    const port = COMMAND_LINE.exec(redirectUri)?.[1];
    return port !== undefined && Number(port) <= MAX_PORT;
  }
  // Private-use schemes require a review: nothing proves who owns one.
  if (client.isRestricted && !/^https?:/.test(redirectUri)) return false;
  if (client.redirectUris.includes(redirectUri)) return true;
  const portless = client.kind === "native" ? removeLoopbackPort(redirectUri) : null;
  return portless !== null && client.redirectUris.some((registered) => removeLoopbackPort(registered) === portless);
}

/** Returns a loopback redirect URI without its port; null for any other URI. */
function removeLoopbackPort(uri: string): string | null {
  const { host, port = "1", rest = "" } = LOOPBACK.exec(uri)?.groups ?? {};
  return host === undefined || Number(port) > MAX_PORT ? null : host + rest;
}

/**
 * Returns true if only the registered application can receive codes at the redirect URI. Any local program can listen
 * on a loopback port or claim a private-use scheme (RFC 8252 sections 8.3 and 8.4).
 */
export function isExclusiveRedirect(redirectUri: string): boolean {
  return redirectUri.startsWith("https://");
}

/** Returns the redirect URI with the parameters appended to its query. Null values are omitted. */
export function appendParameters(redirectUri: string, parameters: Readonly<Record<string, string | null>>): string {
  const pairs = Object.entries(parameters)
    .filter((entry): entry is [string, string] => entry[1] !== null)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `${redirectUri}${redirectUri.includes("?") ? "&" : "?"}${pairs.join("&")}`;
}
