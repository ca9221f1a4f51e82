import type { Client } from "./clients/find-client.ts";

/**
 * Redirect URIs of the command line client: http on a loopback host, any port, one path (spec section 4.2, RFC 8252
 * section 7.3).
 */
const LOOPBACK = /^http:\/\/(?:localhost|127\.0\.0\.1):([1-9]\d{0,4})\/callback$/;
const MAX_PORT = 65_535;

/**
 * Returns true if the client registered this redirect URI. URIs are compared byte for byte, without normalization:
 * `a/../b` is not `b`.
 */
export function isRegisteredRedirect(client: Pick<Client, "kind" | "redirectUris">, redirectUri: string): boolean {
  if (client.kind !== "command_line") return client.redirectUris.includes(redirectUri);
  const port = LOOPBACK.exec(redirectUri)?.[1];
  return port !== undefined && Number(port) <= MAX_PORT;
}

/** Returns the redirect URI with the parameters appended to its query. Null values are omitted. */
export function appendParameters(redirectUri: string, parameters: Readonly<Record<string, string | null>>): string {
  const pairs = Object.entries(parameters)
    .filter((entry): entry is [string, string] => entry[1] !== null)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `${redirectUri}${redirectUri.includes("?") ? "&" : "?"}${pairs.join("&")}`;
}
