import type { Chains } from "./chain.ts";
import { findNetwork, type Network } from "./networks.ts";
import { UnsupportedNetworkError } from "./unsupported-network.ts";

/** The network of that name. @throws {UnsupportedNetworkError} where this installation is not connected to it, or there is none */
export function servedNetwork({ networks }: Chains, name: string): Network {
  const network = findNetwork(name);
  if (!network || !networks.includes(network.name)) throw new UnsupportedNetworkError(name, networks);
  return network;
}
