import { InvalidRequestError } from "../../platform/errors.ts";
import type { Site } from "../../platform/http/site.ts";

/**
 * The relying party (WebAuthn level 3, section 4). Passkeys are bound to the host name and accepted only on this
 * origin.
 */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

/**
 * Returns this service as a relying party. Returns null where browsers reject passkeys: on plain http other than
 * localhost, or on an IP address.
 */
export function findRelyingParty(site: Site): RelyingParty | null {
  const { protocol, hostname, origin } = new URL(site.browserUrl());
  const isLocal = hostname === "localhost" || hostname.endsWith(".localhost");
  const isIp = hostname.startsWith("[") || /^\d{1,3}(?:\.\d{1,3}){3}$/.test(hostname);
  return !isIp && (protocol === "https:" || isLocal) ? { id: hostname, origin } : null;
}

/** @throws {InvalidRequestError} if this service's address does not support passkeys */
export function requireRelyingParty(site: Site): RelyingParty {
  const party = findRelyingParty(site);
  if (!party) {
    throw new InvalidRequestError("Passkeys require an https address with a host name; this service has none.");
  }
  return party;
}

/**
 * Returns a passkey's user handle: the bytes of the account's UUID, without personal data (WebAuthn level 3, section
 * 14.6.1).
 */
export function userHandleBytes(accountId: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(accountId.replaceAll("-", ""), "hex"));
}

/** Returns the user handle in base64url, as in a browser's response. */
export function encodeUserHandle(accountId: string): string {
  return Buffer.from(userHandleBytes(accountId)).toString("base64url");
}
