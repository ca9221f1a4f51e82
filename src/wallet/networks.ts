/** The supported networks. APIs use the short names (spec section 2.10), X402 version 2 uses CAIP-2 names. */

export type NetworkName = "base" | "base-sepolia" | "solana" | "solana-devnet" | "avalanche";

interface NetworkCommon {
  readonly name: NetworkName;
  /** The canonical CAIP-2 identifier, followed by the other accepted forms. */
  readonly caip2: readonly [string, ...string[]];
  readonly isTestnet: boolean;
  readonly nativeSymbol: string;
  readonly nativeDecimals: number;
  readonly explorerTxUrl: (txHash: string) => string;
}

export interface EvmNetwork extends NetworkCommon {
  readonly kind: "evm";
  readonly chainId: number;
  /**
   * Number of later blocks after which a block counts as final. A decision that releases money reads the chain there. Base: 30
   * seconds of its sequencer's blocks. Avalanche: its accepted blocks are final, and the margin covers RPC nodes that lag.
   */
  readonly confirmations: number;
  /**
   * Fee per gas in wei above which nothing is signed: a multiple of the highest fees of the network. A higher fee indicates a faulty or
   * malicious RPC. `MAX_FEE_PER_GAS_GWEI` changes it.
   */
  readonly maxFeePerGasWei: bigint;
  /** `domain` is the EIP-712 domain of the token contract. It differs between chains. */
  readonly usdc: {
    readonly address: `0x${string}`;
    readonly domain: { readonly name: string; readonly version: string };
  };
}

export interface SolanaNetwork extends NetworkCommon {
  readonly kind: "solana";
  readonly usdc: { readonly address: string };
}

export type Network = EvmNetwork | SolanaNetwork;

export const USDC_DECIMALS = 6;

export const NETWORKS = {
  base: {
    name: "base",
    kind: "evm",
    chainId: 8453,
    confirmations: 15,
    maxFeePerGasWei: 50n * 10n ** 9n,
    caip2: ["eip155:8453"],
    isTestnet: false,
    nativeSymbol: "ETH",
    nativeDecimals: 18,
    usdc: { address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", domain: { name: "USD Coin", version: "2" } },
    explorerTxUrl: (txHash) => `https://basescan.org/tx/${txHash}`,
  },
  "base-sepolia": {
    name: "base-sepolia",
    kind: "evm",
    chainId: 84532,
    confirmations: 15,
    maxFeePerGasWei: 50n * 10n ** 9n,
    caip2: ["eip155:84532"],
    isTestnet: true,
    nativeSymbol: "ETH",
    nativeDecimals: 18,
    usdc: { address: "0x036CbD53842c5426634e7929541eC2318f3dCF7e", domain: { name: "USDC", version: "2" } },
    explorerTxUrl: (txHash) => `https://sepolia.basescan.org/tx/${txHash}`,
  },
  avalanche: {
    name: "avalanche",
    kind: "evm",
    chainId: 43114,
    confirmations: 2,
    maxFeePerGasWei: 500n * 10n ** 9n,
    caip2: ["eip155:43114"],
    isTestnet: false,
    nativeSymbol: "AVAX",
    nativeDecimals: 18,
    usdc: { address: "0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E", domain: { name: "USD Coin", version: "2" } },
    explorerTxUrl: (txHash) => `https://snowtrace.io/tx/${txHash}`,
  },
  solana: {
    name: "solana",
    kind: "solana",
    caip2: ["solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", "solana:mainnet"],
    isTestnet: false,
    nativeSymbol: "SOL",
    nativeDecimals: 9,
    usdc: { address: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGkZwyTDt1v" },
    explorerTxUrl: (txHash) => `https://solscan.io/tx/${txHash}`,
  },
  "solana-devnet": {
    name: "solana-devnet",
    kind: "solana",
    caip2: ["solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1", "solana:devnet"],
    isTestnet: true,
    nativeSymbol: "SOL",
    nativeDecimals: 9,
    usdc: { address: "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU" },
    explorerTxUrl: (txHash) => `https://solscan.io/tx/${txHash}?cluster=devnet`,
  },
} as const satisfies Record<NetworkName, Network>;

export const NETWORK_NAMES = Object.keys(NETWORKS) as NetworkName[];

const BY_ANY_NAME: ReadonlyMap<string, Network> = new Map(
  Object.values<Network>(NETWORKS).flatMap((network) =>
    [network.name, ...network.caip2].map((name) => [name, network] as const),
  ),
);

/** Returns the network with a short name or CAIP-2 name, or undefined. */
export function findNetwork(name: string): Network | undefined {
  return BY_ANY_NAME.get(name);
}

/** The addresses of one wallet. */
export interface Addresses {
  readonly evmAddress: string;
  readonly solanaAddress: string;
}

/** Returns the wallet's address on the network. */
export function addressOn({ kind }: Network, { evmAddress, solanaAddress }: Addresses): string {
  return kind === "evm" ? evmAddress : solanaAddress;
}
