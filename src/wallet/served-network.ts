import { ServiceError } from "../platform/errors.ts";
import type { Chains } from "./chain.ts";
import { findNetwork, type Network } from "./networks.ts";

/** The network is unknown, not configured in this installation, or not available for this operation. */
export class UnsupportedNetworkError extends ServiceError {
  readonly code = "unsupported_network";
  readonly field: string;
  /** @param available names of the networks that are available instead */
  constructor(
    name: string,
    available: readonly string[],
    field = "network",
    problem = findNetwork(name) ? "is not configured here" : "is not a known network",
  ) {
    super(`${field}: ${JSON.stringify(name.slice(0, 60))} ${problem}. Available: ${available.join(", ") || "none"}.`);
    this.field = field;
  }
}

/** Returns the network with this name. @throws {UnsupportedNetworkError} when it is unknown or not configured. */
export function servedNetwork({ networks }: Chains, name: string): Network {
  const network = findNetwork(name);
  if (!network || !networks.includes(network.name)) throw new UnsupportedNetworkError(name, networks);
  return network;
}
