/** ERC-8004 identity registries, in which agents are registered: one contract per network. */
import { getAddress } from "viem";
import type { Config } from "../platform/config/load.ts";
import { type EvmNetwork, NETWORKS } from "../wallet/networks.ts";

export type RegistryNetwork = Extract<EvmNetwork["name"], "base" | "base-sepolia" | "avalanche">;

export interface Registry {
  readonly network: RegistryNetwork;
  /** Contract address with checksum (EIP-55). */
  readonly address: `0x${string}`;
}

/** Deployed registries (erc-8004-contracts, "Contract Addresses"): one address on main networks, another on test networks. */
const DEPLOYED: Readonly<Record<RegistryNetwork, `0x${string}`>> = {
  base: "0x8004A169FB4a3325136EB29fA0ceB6D2e539a432",
  avalanche: "0x8004A169FB4a3325136EB29fA0ceB6D2e539a432",
  "base-sepolia": "0x8004A818BFB912233c491871b3d84c89A494BD9e",
};

/** Returns the configured registry. The default is the deployed registry on Base, or on Base Sepolia in the sandbox. */
export function createRegistry(config: Pick<Config, "AGENT_NETWORK" | "AGENT_REGISTRY" | "SANDBOX">): Registry {
  const network = config.AGENT_NETWORK ?? (config.SANDBOX ? "base-sepolia" : "base");
  return { network, address: getAddress(config.AGENT_REGISTRY ?? DEPLOYED[network]) };
}

/** Returns the chain id of a registry's network (EIP-155). */
export function chainIdOf(network: string): number {
  return NETWORKS[network as RegistryNetwork].chainId;
}

/** Returns a registry's identifier in the format of ERC-8004: `eip155:<chain id>:<address>`. */
export function formatRegistryId({ network, registryAddress }: { network: string; registryAddress: string }): string {
  return `eip155:${chainIdOf(network)}:${registryAddress}`;
}
