/** Tokens that trades accept by symbol (spec section 4.7), with their addresses on Base. */
import type { TradeDeps } from "./deps.ts";

/** The aggregator's address for the native coin; the ledger uses `native`. */
export const NATIVE_ADDRESS = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE";

/** The only network with trading. */
export const TRADE_NETWORK = "base";

export interface Token {
  readonly symbol: string;
  readonly name: string;
  /** Checksummed (EIP-55). */
  readonly address: `0x${string}`;
  readonly decimals: number;
  readonly isNative: boolean;
}

const token = (symbol: string, name: string, address: `0x${string}`, decimals = 18): Token => ({
  symbol,
  name,
  address,
  decimals,
  isNative: address === NATIVE_ADDRESS,
});

export const USDC = token("USDC", "USD Coin", "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", 6);
export const ETH = token("ETH", "Ether", NATIVE_ADDRESS);
export const WETH = token("WETH", "Wrapped Ether", "0x4200000000000000000000000000000000000006");

export const KNOWN_TOKENS: readonly Token[] = [
  USDC,
  ETH,
  WETH,
  token("cbETH", "Coinbase Wrapped Staked ETH", "0x2Ae3F1Ec7F1F5012CFEab0185bfc7aa3cf0DEc22"),
  token("DAI", "Dai Stablecoin", "0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb"),
  token("AERO", "Aerodrome", "0x940181a94A35A4569E4529A3CDfB74e38FD98631"),
];

/** Returns the ledger's asset name of a token. */
export function assetOf({ isNative, address }: Pick<Token, "isNative" | "address">): string {
  return isNative ? "native" : address;
}

/** Returns whether the swap only wraps or unwraps ETH, which the WETH contract does one to one. */
export function isWrap(sell: Token, buy: Token): boolean {
  return (sell.isNative && buy.address === WETH.address) || (buy.isNative && sell.address === WETH.address);
}

/** Rate limit (spec section 8). */
const LISTS_PER_MINUTE = 1_000;

/**
 * Lists the tokens that trades accept by symbol. Any other token is traded by its contract address. Requires no credential.
 * @param caller the account id, or the client's network for an unauthenticated request
 * @throws {RateLimitedError}
 */
export async function listTokens(deps: Pick<TradeDeps, "rateLimiter">, caller: string): Promise<readonly Token[]> {
  await deps.rateLimiter.consume("trade-tokens", caller, LISTS_PER_MINUTE);
  return KNOWN_TOKENS;
}
