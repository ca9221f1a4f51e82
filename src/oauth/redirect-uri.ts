import type { Client } from "./clients/find-client.ts";

/** The command line client's: any port of this machine, one path, http only (spec section 4.2, RFC 8252 section 7.3). */
const LOOPBACK = /^http:\/\/(?:localhost|127\.0\.0\.1):([1-9]\d{0,4})\/callback$/;
const MAX_PORT = 65_535;

/** Whether the client may be answered there. Compared byte for byte, never as addresses: `a/../b` is not `b`. */
export function isRegisteredRedirect(client: Pick<Client, "kind" | "redirectUris">, redirectUri: string): boolean {
  if (client.kind !== "command_line") return client.redirectUris.includes(redirectUri);
  const port = LOOPBACK.exec(redirectUri)?.[1];
  return port !== undefined && Number(port) <= MAX_PORT;
}

/** The redirect URI with the answer's parameters added to whatever query it has; null values are left out. */
export function withParameters(redirectUri: string, parameters: Readonly<Record<string, string | null>>): string {
  const written = Object.entries(parameters)
    .filter((entry): entry is [string, string] => entry[1] !== null)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `${redirectUri}${redirectUri.includes("?") ? "&" : "?"}${written.join("&")}`;
}
