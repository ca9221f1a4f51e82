import ipaddr from "ipaddr.js";

/** `reserved` is every address that is neither loopback nor reachable on the public internet. */
export type AddressKind = "public" | "loopback" | "reserved";

/** Azure's host agent answers with instance metadata on an address out of a public range. */
const PUBLIC_LOOKING_METADATA = new Set(["168.63.129.16"]);

/** RFC 4291 section 2.4: the only block from which global unicast addresses are assigned. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");

/** `::8.8.8.8` (RFC 4291 section 2.5.5.1, deprecated), which ipaddr.js takes for `::ffff:8.8.8.8`. */
const IPV4_COMPATIBLE = /^::\d+\./;

function kindOfIPv4(address: ipaddr.IPv4): AddressKind {
  const range = address.range();
  if (range === "loopback") return "loopback";
  return range === "unicast" && !PUBLIC_LOOKING_METADATA.has(address.toString()) ? "public" : "reserved";
}

function lastBytes(address: ipaddr.IPv6): ipaddr.IPv4 {
  return new ipaddr.IPv4(address.toByteArray().slice(12));
}

function kindOfIPv6(address: ipaddr.IPv6): AddressKind {
  switch (address.range()) {
    case "loopback":
      return "loopback";
    case "ipv4Mapped":
      // The operating system connects to the IPv4 address itself.
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
 * Says where an IP address leads, by the IANA special-purpose registries (RFC 6890).
 * @param address IPv4 in four decimal parts or IPv6 without brackets; anything else counts as `reserved`.
 */
export function addressKind(address: string): AddressKind {
  if (!ipaddr.isValid(address) || IPV4_COMPATIBLE.test(address)) return "reserved";
  const parsed = ipaddr.parse(address);
  return parsed instanceof ipaddr.IPv4 ? kindOfIPv4(parsed) : kindOfIPv6(parsed as ipaddr.IPv6);
}

/** Whether the service may connect to `address`; loopback only where `allowLoopback` says so. */
export function isAddressAllowed(address: string, allowLoopback: boolean): boolean {
  const kind = addressKind(address);
  return kind === "public" || (kind === "loopback" && allowLoopback);
}
