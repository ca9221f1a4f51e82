import { type Chains, type EvmChain, NetworkDegradedError, type SolanaChain } from "./chain.ts";
import { createEvmChain } from "./evm/chain.ts";
import { NETWORK_NAMES, NETWORKS, type Network, type NetworkName } from "./networks.ts";
import { UnsupportedNetworkError } from "./served-network.ts";
import { createSolanaChain } from "./solana/chain.ts";

/**
 * Creates a chain for every network that has an RPC URL. A chain connects on its first call.
 * @param deps.isDegraded returns true if the network's RPC serves something else; default: never
 * @param deps.maxFeesPerGasWei by name of the network; default: the networks' own
 */
export function createChains(deps: {
  rpcUrls: Partial<Record<NetworkName, string>>;
  isDegraded?: (network: NetworkName) => boolean;
  maxFeesPerGasWei?: ReadonlyMap<string, bigint>;
}): Chains {
  const { isDegraded = () => false, maxFeesPerGasWei = new Map<string, bigint>() } = deps;
  const chains = new Map<NetworkName, EvmChain | SolanaChain>();
  for (const name of NETWORK_NAMES) {
    const rpcUrl = deps.rpcUrls[name];
    if (!rpcUrl) continue;
    const network: Network = NETWORKS[name];
    if (network.kind === "solana") {
      chains.set(name, createSolanaChain(network, rpcUrl));
      continue;
    }
    const maxFeePerGasWei = maxFeesPerGasWei.get(name) ?? network.maxFeePerGasWei;
    chains.set(name, createEvmChain({ ...network, maxFeePerGasWei }, rpcUrl));
  }
  const unchecked = (name: NetworkName) => {
    const chain = chains.get(name);
    if (!chain) throw new UnsupportedNetworkError(name, [...chains.keys()]);
    return chain;
  };
  const any = (name: NetworkName) => {
    const chain = unchecked(name);
    if (isDegraded(name)) throw new NetworkDegradedError(name);
    return chain;
  };
  return {
    networks: [...chains.keys()],
    isDegraded,
    unchecked,
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
