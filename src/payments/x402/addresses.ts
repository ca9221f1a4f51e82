/** Addresses in one canonical spelling each, so that they can be compared with `===`. */
import { PublicKey } from "@solana/web3.js";
import { LRUCache } from "lru-cache";
import { getAddress } from "viem";

const ZERO_ADDRESS = /^0x0{40}$/;

/** Shops repeat themselves: the checksum costs a hash, the look-up nothing. */
const checksummed = new LRUCache<string, `0x${string}`>({ max: 10_000 });

/** An EVM address in any letter case → EIP-55 form; null when it is none, or the zero address (nobody's). */
export function canonicalEvmAddress(text: unknown): `0x${string}` | null {
  if (typeof text !== "string" || !/^0x[0-9a-fA-F]{40}$/.test(text) || ZERO_ADDRESS.test(text)) return null;
  const lower = text.toLowerCase();
  const known = checksummed.get(lower);
  if (known) return known;
  const address = getAddress(lower);
  checksummed.set(lower, address);
  return address;
}

/** A base58 address of exactly 32 bytes, or null. */
export function canonicalSolanaAddress(text: unknown): string | null {
  if (typeof text !== "string" || !/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text)) return null;
  try {
    return new PublicKey(text).toBase58();
  } catch {
    return null;
  }
}

/** The canonical spelling of an address of either kind, or null. */
export function canonicalAddress(text: string): string | null {
  return canonicalEvmAddress(text) ?? canonicalSolanaAddress(text);
}
