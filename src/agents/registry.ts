/** Where agents are registered: ERC-8004's identity registries, one contract a network. */
import { getAddress } from "viem";
import type { Config } from "../platform/config/load.ts";
import { type EvmNetwork, NETWORKS } from "../wallet/networks.ts";

export type RegistryNetwork = Extract<EvmNetwork["name"], "base" | "base-sepolia" | "avalanche">;

export interface Registry {
  readonly network: RegistryNetwork;
  /** With checksum. */
  readonly address: `0x${string}`;
}

/** The deployed ones (erc-8004-contracts, "Contract Addresses"): one address on main networks, one on test networks. */
const KNOWN: Readonly<Record<RegistryNetwork, `0x${string}`>> = {
  base: "0x8004A169FB4a3325136EB29fA0ceB6D2e539a432",
  avalanche: "0x8004A169FB4a3325136EB29fA0ceB6D2e539a432",
  "base-sepolia": "0x8004A818BFB912233c491871b3d84c89A494BD9e",
};

/** The registry that is configured, else the known one: of Base, in the sandbox of Base Sepolia. */
export function createRegistry(config: Pick<Config, "AGENT_NETWORK" | "AGENT_REGISTRY" | "SANDBOX">): Registry {
  const network = config.AGENT_NETWORK ?? (config.SANDBOX ? "base-sepolia" : "base");
  return { network, address: getAddress(config.AGENT_REGISTRY ?? KNOWN[network]) };
}

/** The chain a registry is on, by its number (EIP-155). */
export function chainIdOf(network: string): number {
  return NETWORKS[network as RegistryNetwork].chainId;
}

/** A registry's name as ERC-8004 writes it: `eip155:<chain id>:<address>`. */
export function registryName({ network, registryAddress }: { network: string; registryAddress: string }): string {
  return `eip155:${chainIdOf(network)}:${registryAddress}`;
}
