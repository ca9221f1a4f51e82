import { InvalidRequestError } from "../../platform/errors.ts";
import type { Site } from "../../platform/http/site.ts";

/** Who asks for a passkey (WebAuthn level 3, section 4): passkeys are bound to the host name, and work on this origin alone. */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

/** This service as browsers know it; null where they refuse passkeys: on plain http but for localhost, or on a bare IP address. */
export function relyingPartyOf(site: Site): RelyingParty | null {
  const { protocol, hostname, origin } = new URL(site.browserUrl());
  const isLocal = hostname === "localhost" || hostname.endsWith(".localhost");
  const isIp = hostname.startsWith("[") || /^\d{1,3}(?:\.\d{1,3}){3}$/.test(hostname);
  return !isIp && (protocol === "https:" || isLocal) ? { id: hostname, origin } : null;
}

/** @throws {InvalidRequestError} where this service's address allows no passkeys */
export function requireRelyingParty(site: Site): RelyingParty {
  const party = relyingPartyOf(site);
  if (!party) throw new InvalidRequestError("Passkeys need an https address with a host name; this service has none.");
  return party;
}

/** The bytes by which a passkey knows its account: the UUID's, and nothing personal (WebAuthn level 3, section 14.6.1). */
export function userHandleBytes(accountId: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(accountId.replaceAll("-", ""), "hex"));
}

/** The same in base64url, as browsers give it back. */
export function userHandleOf(accountId: string): string {
  return Buffer.from(userHandleBytes(accountId)).toString("base64url");
}
