import { domainToASCII } from "node:url";

/**
 * Returns an address or a domain in lower case, with an internationalised domain in its ASCII form (A-labels, RFC 5890). Both forms name
 * the same domain. An invalid domain is returned unchanged.
 */
export function toAsciiAddress(address: string): string {
  const at = address.lastIndexOf("@");
  const domain = address.slice(at + 1);
  return (address.slice(0, at + 1) + (domainToASCII(domain) || domain)).toLowerCase();
}
