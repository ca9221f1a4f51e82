import ipaddr from "ipaddr.js";

/**
 * Whom an address belongs to, as far as it tells, for counting what comes from one place: an IPv6 customer has a /64 of their own,
 * and all of it counts as one.
 */
export function networkOf(ip: string | null): string {
  if (ip === null || !ipaddr.isValid(ip)) return "unknown";
  const address = ipaddr.process(ip);
  return address.kind() === "ipv4" ? address.toString() : address.toByteArray().slice(0, 8).join(".");
}
