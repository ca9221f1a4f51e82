import ipaddr from "ipaddr.js";
import type { Config } from "../config/load.ts";

const MAX_CACHED_NETWORKS = 10_000;
const networks = new Map<string, string>();

/** Returns a client address as `ACCESS_LOG_ADDRESS` says; null if it is not logged. */
export function formatLoggedAddress(setting: Config["ACCESS_LOG_ADDRESS"], address: string): string | null {
  if (setting === "none") return null;
  if (setting === "full") return address;
  // Cached, because parsing an address costs more than the rest of a line.
  let network = networks.get(address);
  if (network === undefined) {
    network = truncateAddress(address);
    if (networks.size >= MAX_CACHED_NETWORKS) networks.clear();
    networks.set(address, network);
  }
  return network;
}

/** Returns the network of an address in CIDR notation, without its host part: an IPv4 /24 or an IPv6 /48. */
function truncateAddress(ip: string): string {
  if (!ipaddr.isValid(ip)) return "unknown";
  const address = ipaddr.process(ip);
  const networkBytes = address.kind() === "ipv4" ? 3 : 6;
  const network = ipaddr.fromByteArray(address.toByteArray().fill(0, networkBytes));
  return `${network.toString()}/${networkBytes * 8}`;
}
