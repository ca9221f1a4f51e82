import { LRUCache } from "lru-cache";
import { getAddress, isAddress } from "viem";
import { InvalidRequestError, ServiceError } from "../platform/errors.ts";
import type { Chains } from "../wallet/chain.ts";
import { readTokenMetadata } from "./token-metadata.ts";
import { ETH, KNOWN_TOKENS, NATIVE_ADDRESS, type Token, TRADE_NETWORK } from "./tokens.ts";

/** The token is unknown, is not an ERC-20 token, or has no liquidity. */
export class UnsupportedTokenError extends ServiceError {
  readonly code = "unsupported_token";
  readonly field: string | null;
  constructor(message: string, field: string | null) {
    super(message);
    this.field = field;
  }
}

const MAX_LENGTH = 64;
const MAX_CACHED_TOKENS = 2_000;
const CACHE_TTL_MS = 3_600_000;

const bySymbol = new Map(KNOWN_TOKENS.map((token) => [token.symbol.toLowerCase(), token]));
const byAddress = new Map<string, Token>(KNOWN_TOKENS.map((token) => [token.address, token]));
const metadataCaches = new WeakMap<Chains, LRUCache<string, Token>>();

/**
 * Returns the token for a case-insensitive symbol or a contract address.
 * @throws {InvalidRequestError | UnsupportedTokenError | ChainUnavailableError}
 */
export async function findToken(
  { chains }: { readonly chains: Chains },
  text: string,
  field: "sellToken" | "buyToken",
): Promise<Token> {
  if (text === "") throw new InvalidRequestError(`${field} is missing.`, field);
  const known = bySymbol.get(text.toLowerCase());
  if (known) return known;
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) {
    const symbols = KNOWN_TOKENS.map(({ symbol }) => symbol).join(", ");
    const given = JSON.stringify(text.slice(0, MAX_LENGTH));
    throw new UnsupportedTokenError(
      `${field} is not a known symbol: ${given}. Pass a contract address, or one of ${symbols}.`,
      field,
    );
  }
  // EIP-55 encodes a checksum in mixed case; an address in one case has none.
  const digits = text.slice(2);
  const hasChecksum = digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
  if (hasChecksum && text !== NATIVE_ADDRESS && !isAddress(text)) {
    throw new InvalidRequestError(
      `${field} has an invalid checksum (EIP-55). Check the address for typing errors.`,
      field,
    );
  }
  const address = getAddress(text.toLowerCase());
  if (address.toLowerCase() === NATIVE_ADDRESS.toLowerCase()) return ETH;
  return byAddress.get(address) ?? (await readTokenCached(chains, address, field));
}

async function readTokenCached(chains: Chains, address: `0x${string}`, field: string): Promise<Token> {
  const cache =
    metadataCaches.get(chains) ?? new LRUCache<string, Token>({ max: MAX_CACHED_TOKENS, ttl: CACHE_TTL_MS });
  metadataCaches.set(chains, cache);
  const cached = cache.get(address);
  if (cached) return cached;
  const token = await readTokenMetadata(chains.evm(TRADE_NETWORK).rpc, address);
  if (!token) {
    throw new UnsupportedTokenError(`${field} is not the address of an ERC-20 token on ${TRADE_NETWORK}.`, field);
  }
  cache.set(address, token);
  return token;
}
