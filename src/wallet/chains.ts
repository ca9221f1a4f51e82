import type { Chains, EvmChain, SolanaChain } from "./chain.ts";
import { createEvmChain } from "./evm/chain.ts";
import { NETWORK_NAMES, NETWORKS, type Network, type NetworkName } from "./networks.ts";
import { UnsupportedNetworkError } from "./served-network.ts";
import { createSolanaChain } from "./solana/chain.ts";

/** Creates a chain for every network that has an RPC URL. A chain connects on its first call. */
export function createChains(deps: { rpcUrls: Partial<Record<NetworkName, string>> }): Chains {
  const chains = new Map<NetworkName, EvmChain | SolanaChain>();
  for (const name of NETWORK_NAMES) {
    const rpcUrl = deps.rpcUrls[name];
    if (!rpcUrl) continue;
    const network: Network = NETWORKS[name];
    chains.set(name, network.kind === "evm" ? createEvmChain(network, rpcUrl) : createSolanaChain(network, rpcUrl));
  }
  const any = (name: NetworkName) => {
    const chain = chains.get(name);
    if (!chain) throw new UnsupportedNetworkError(name, [...chains.keys()]);
    return chain;
  };
  return {
    networks: [...chains.keys()],
    any,
    evm(name) {
      const chain = any(name);
      if (chain.kind !== "evm") throw new UnsupportedNetworkError(name, [...chains.keys()]);
      return chain;
    },
    solana(name) {
      const chain = any(name);
      if (chain.kind !== "solana") throw new UnsupportedNetworkError(name, [...chains.keys()]);
      return chain;
    },
  };
}
