import { ServiceError } from "../platform/errors.ts";
import type { Chains } from "./chain.ts";
import { findNetwork, type Network } from "./networks.ts";

/** The network is unknown, this installation is not connected to it, or it is not used for this. */
export class UnsupportedNetworkError extends ServiceError {
  readonly code = "unsupported_network";
  readonly field: string;
  /** @param available what may be named instead */
  constructor(
    name: string,
    available: readonly string[],
    field = "network",
    problem = findNetwork(name) ? "is not configured here" : "is no network",
  ) {
    super(`${field}: ${JSON.stringify(name.slice(0, 60))} ${problem}. Available: ${available.join(", ") || "none"}.`);
    this.field = field;
  }
}

/** The network of that name. @throws {UnsupportedNetworkError} where this installation is not connected to it, or there is none */
export function servedNetwork({ networks }: Chains, name: string): Network {
  const network = findNetwork(name);
  if (!network || !networks.includes(network.name)) throw new UnsupportedNetworkError(name, networks);
  return network;
}
