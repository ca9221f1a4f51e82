import { LRUCache } from "lru-cache";
import { getAddress, isAddress } from "viem";
import { InvalidRequestError, ServiceError } from "../platform/errors.ts";
import type { Chains } from "../wallet/chain.ts";
import { readTokenMetadata } from "./token-metadata.ts";
import { ETH, KNOWN_TOKENS, NATIVE_ADDRESS, type Token, TRADE_NETWORK } from "./tokens.ts";

/** The token is not known, is none, or there is no market for it. */
export class UnsupportedTokenError extends ServiceError {
  readonly code = "unsupported_token";
  readonly field: string | null;
  constructor(message: string, field: string | null) {
    super(message);
    this.field = field;
  }
}

const MAX_LENGTH = 64;
const REMEMBERED_TOKENS = 2_000;
const REMEMBERED_FOR_MS = 3_600_000;

const bySymbol = new Map(KNOWN_TOKENS.map((token) => [token.symbol.toLowerCase(), token]));
const byAddress = new Map<string, Token>(KNOWN_TOKENS.map((token) => [token.address, token]));
const read = new WeakMap<Chains, LRUCache<string, Token>>();

/**
 * The token behind a symbol (in any case) or a contract's address.
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
      `${field} is no known token: ${given}. Give a contract's address, or one of ${symbols}.`,
      field,
    );
  }
  // Letters of one case carry no checksum (EIP-55).
  const digits = text.slice(2);
  const hasChecksum = digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
  if (hasChecksum && text !== NATIVE_ADDRESS && !isAddress(text)) {
    throw new InvalidRequestError(`${field} is mistyped: its checksum does not fit.`, field);
  }
  const address = getAddress(text.toLowerCase());
  if (address.toLowerCase() === NATIVE_ADDRESS.toLowerCase()) return ETH;
  return byAddress.get(address) ?? (await readOnce(chains, address, field));
}

async function readOnce(chains: Chains, address: `0x${string}`, field: string): Promise<Token> {
  const cache = read.get(chains) ?? new LRUCache<string, Token>({ max: REMEMBERED_TOKENS, ttl: REMEMBERED_FOR_MS });
  read.set(chains, cache);
  const cached = cache.get(address);
  if (cached) return cached;
  const token = await readTokenMetadata(chains.evm(TRADE_NETWORK).rpc, address);
  if (!token) throw new UnsupportedTokenError(`${field} is the address of no token on ${TRADE_NETWORK}.`, field);
  cache.set(address, token);
  return token;
}
