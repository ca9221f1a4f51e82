import ipaddr from "ipaddr.js";

/** `reserved`: any address that is neither loopback nor globally reachable. */
export type AddressKind = "public" | "loopback" | "reserved";

/** Azure's host agent serves instance metadata on an address in a public range. */
const METADATA_IN_PUBLIC_RANGE = new Set(["168.63.129.16"]);

/** RFC 4291 section 2.4: the only block from which global unicast addresses are assigned. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");

/** `::8.8.8.8` (RFC 4291 section 2.5.5.1, deprecated), which ipaddr.js parses as `::ffff:8.8.8.8`. */
const IPV4_COMPATIBLE = /^::\d+\./;

function kindOfIPv4(address: ipaddr.IPv4): AddressKind {
  const range = address.range();
  if (range === "loopback") return "loopback";
  return range === "unicast" && !METADATA_IN_PUBLIC_RANGE.has(address.toString()) ? "public" : "reserved";
}

function lastBytes(address: ipaddr.IPv6): ipaddr.IPv4 {
  return new ipaddr.IPv4(address.toByteArray().slice(12));
}

function kindOfIPv6(address: ipaddr.IPv6): AddressKind {
  switch (address.range()) {
    case "loopback":
      return "loopback";
    case "ipv4Mapped":
      // The operating system connects to the embedded IPv4 address.
      return kindOfIPv4(lastBytes(address));
    case "rfc6052":
      // NAT64. The well-known prefix ends in the IPv4 address; the local-use prefix (RFC 8215) is private by definition.
      return address.parts[2] === 0 && kindOfIPv4(lastBytes(address)) === "public" ? "public" : "reserved";
    case "6to4":
      // RFC 3056: the IPv4 address follows the 16-bit prefix.
      return kindOfIPv4(new ipaddr.IPv4(address.toByteArray().slice(2, 6))) === "public" ? "public" : "reserved";
    case "unicast":
      return address.match(GLOBAL_UNICAST) ? "public" : "reserved";
    default:
      return "reserved";
  }
}

/**
 * Classifies an IP address by the IANA special-purpose address registries (RFC 6890).
 *
 * @param address IPv4 in four decimal parts or IPv6 without brackets; any other text is `reserved`
 */
export function addressKind(address: string): AddressKind {
  if (!ipaddr.isValid(address) || IPV4_COMPATIBLE.test(address)) return "reserved";
  const parsed = ipaddr.parse(address);
  return parsed instanceof ipaddr.IPv4 ? kindOfIPv4(parsed) : kindOfIPv6(parsed as ipaddr.IPv6);
}

/** Returns true if the service may connect to `address`. */
export function isAddressAllowed(address: string, allowLoopback: boolean): boolean {
  const kind = addressKind(address);
  return kind === "public" || (kind === "loopback" && allowLoopback);
}
