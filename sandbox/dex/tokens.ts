import type { Hex } from "viem";

/** A token that the sandbox's exchange trades on Base. The first six tokens have their real addresses. */
export interface DexToken {
  symbol: string;
  name: string;
  address: Hex;
  decimals: number;
  /** Tokens and dollars in the pool; their ratio is the price. */
  pool?: { tokens: bigint; dollars: bigint };
}

/** The protocol's address for the native coin. */
export const NATIVE: Hex = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE";

export const ALLOWANCE_HOLDER: Hex = "0x0000000000001fF3684f28c67538d4D072C22734";
export const SETTLER: Hex = "0x5e771e20000000000000000000000000000a0001";
export const TRAP: Hex = "0x7a4b000000000000000000000000000000000001";

export const USDC: DexToken = {
  symbol: "USDC",
  name: "USD Coin",
  address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
  decimals: 6,
};
export const WETH: DexToken = {
  symbol: "WETH",
  name: "Wrapped Ether",
  address: "0x4200000000000000000000000000000000000006",
  decimals: 18,
  pool: { tokens: 10_000n, dollars: 30_000_000n },
};
/** A token whose name and symbol are bytes32. */
export const OLD: DexToken = {
  symbol: "OLD",
  name: "Old Stone",
  address: "0x01d0000000000000000000000000000000000001",
  decimals: 18,
  pool: { tokens: 1_000_000n, dollars: 2_000_000n },
};

/** Standard ERC-20 tokens. */
export const PLAIN_TOKENS: readonly DexToken[] = [
  {
    symbol: "cbETH",
    name: "Coinbase Wrapped Staked ETH",
    address: "0x2Ae3F1Ec7F1F5012CFEab0185bfc7aa3cf0DEc22",
    decimals: 18,
    pool: { tokens: 10_000n, dollars: 33_000_000n },
  },
  {
    symbol: "DAI",
    name: "Dai Stablecoin",
    address: "0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb",
    decimals: 18,
    pool: { tokens: 50_000_000n, dollars: 50_000_000n },
  },
  {
    symbol: "AERO",
    name: "Aerodrome",
    address: "0x940181a94A35A4569E4529A3CDfB74e38FD98631",
    decimals: 18,
    pool: { tokens: 20_000_000n, dollars: 25_000_000n },
  },
  {
    symbol: "PEBBLE",
    name: "Pebble",
    address: "0x9e66000000000000000000000000000000000001",
    decimals: 9,
    pool: { tokens: 100_000_000n, dollars: 2_000_000n },
  },
];

export const TOKENS: readonly DexToken[] = [USDC, WETH, ...PLAIN_TOKENS, OLD];

export const isNative = (token: Hex) => token.toLowerCase() === NATIVE.toLowerCase();

export function findToken(address: Hex): DexToken | undefined {
  return TOKENS.find((token) => token.address.toLowerCase() === address.toLowerCase());
}
