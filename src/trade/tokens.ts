/** The tokens that trades know by symbol (spec section 4.7), at their addresses on Base. */
import type { TradeDeps } from "./deps.ts";

/** How the aggregator writes the network's own coin; the ledger writes `native`. */
export const NATIVE_ADDRESS = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE";

/** The only network that is traded on. */
export const TRADE_NETWORK = "base";

export interface Token {
  readonly symbol: string;
  readonly name: string;
  /** With its checksum. */
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

/** What the ledger calls it. */
export function assetOf({ isNative, address }: Pick<Token, "isNative" | "address">): string {
  return isNative ? "native" : address;
}

/** Between the coin and its token nothing is traded: the token's own contract exchanges them one for one. */
export function isWrap(sell: Token, buy: Token): boolean {
  return (sell.isNative && buy.address === WETH.address) || (buy.isNative && sell.address === WETH.address);
}

/** Spec section 8. */
const LISTS_PER_MINUTE = 1_000;

/**
 * The tokens that are known by symbol; any other is traded by its contract's address. Anybody may ask.
 * @param caller the account, or the network a request without a credential came from
 * @throws {RateLimitedError}
 */
export async function listTokens(deps: Pick<TradeDeps, "rateLimiter">, caller: string): Promise<readonly Token[]> {
  await deps.rateLimiter.consume("trade-tokens", caller, LISTS_PER_MINUTE);
  return KNOWN_TOKENS;
}
