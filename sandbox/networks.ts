/** Chains that the sandbox can run, by their X402 version 1 short names. Contract addresses match the real networks. */

export type EvmNetworkName = "base" | "base-sepolia";
export type SolanaNetworkName = "solana" | "solana-devnet";
export type NetworkName = EvmNetworkName | SolanaNetworkName;

/** `caip2` is the chain's name in X402 version 2, `usdcDomain` the token's EIP-712 domain. */
export interface EvmNetwork {
  kind: "evm";
  name: EvmNetworkName;
  chainId: number;
  caip2: `eip155:${number}`;
  usdc: `0x${string}`;
  usdcDomain: { name: string; version: string };
  /** Address of the ERC-8004 identity registry. */
  identityRegistry: `0x${string}`;
}

/** `caip2` is the registered form with the genesis hash, `caip2Alias` the plain form of some servers. */
export interface SolanaNetwork {
  kind: "solana";
  name: SolanaNetworkName;
  caip2: `solana:${string}`;
  caip2Alias: `solana:${string}`;
  genesisHash: string;
  usdc: string;
}

export type Network = EvmNetwork | SolanaNetwork;

export const NETWORKS: Record<EvmNetworkName, EvmNetwork> & Record<SolanaNetworkName, SolanaNetwork> = {
  base: {
    kind: "evm",
    name: "base",
    chainId: 8453,
    caip2: "eip155:8453",
    usdc: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
    usdcDomain: { name: "USD Coin", version: "2" },
    identityRegistry: "0x8004A169FB4a3325136EB29fA0ceB6D2e539a432",
  },
  "base-sepolia": {
    kind: "evm",
    name: "base-sepolia",
    chainId: 84532,
    caip2: "eip155:84532",
    usdc: "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
    usdcDomain: { name: "USDC", version: "2" },
    identityRegistry: "0x8004A818BFB912233c491871b3d84c89A494BD9e",
  },
  solana: {
    kind: "solana",
    name: "solana",
    caip2: "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp",
    caip2Alias: "solana:mainnet",
    genesisHash: "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d",
    usdc: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGkZwyTDt1v",
  },
  "solana-devnet": {
    kind: "solana",
    name: "solana-devnet",
    caip2: "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1",
    caip2Alias: "solana:devnet",
    genesisHash: "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG",
    usdc: "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU",
  },
};

export const NETWORK_NAMES = Object.keys(NETWORKS) as NetworkName[];

/**
 * Parses a comma-separated list of short names. Undefined or an empty list selects all networks.
 * @throws Error with the unknown name
 */
export function parseNetworkNames(list: string | undefined): NetworkName[] {
  const names = (list ?? "").split(",").flatMap((name) => name.trim() || []);
  const unknown = names.find((name) => !Object.hasOwn(NETWORKS, name));
  if (unknown) throw new Error(`SANDBOX_NETWORKS: unknown network "${unknown}" (known: ${NETWORK_NAMES.join(", ")})`);
  return names.length > 0 ? (names as NetworkName[]) : NETWORK_NAMES;
}
