/** Canonical form of addresses, for comparison with `===`. */
import { PublicKey } from "@solana/web3.js";
import { LRUCache } from "lru-cache";
import { getAddress } from "viem";

const ZERO_ADDRESS = /^0x0{40}$/;

/** Cache of checksummed addresses: sellers recur, and a checksum costs a hash. */
const checksummed = new LRUCache<string, `0x${string}`>({ max: 10_000 });

/** Returns an EVM address in EIP-55 form, from any letter case; null if it is invalid or the zero address, which has no owner. */
export function canonicalEvmAddress(text: unknown): `0x${string}` | null {
  if (typeof text !== "string" || !/^0x[0-9a-fA-F]{40}$/.test(text) || ZERO_ADDRESS.test(text)) return null;
  const lower = text.toLowerCase();
  const known = checksummed.get(lower);
  if (known) return known;
  const address = getAddress(lower);
  checksummed.set(lower, address);
  return address;
}

/** Returns a base58 address of exactly 32 bytes, or null if it is invalid. */
export function canonicalSolanaAddress(text: unknown): string | null {
  if (typeof text !== "string" || !/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text)) return null;
  try {
    return new PublicKey(text).toBase58();
  } catch {
    return null;
  }
}

/** Returns the canonical form of an EVM or Solana address, or null if it is neither. */
export function canonicalAddress(text: string): string | null {
  return canonicalEvmAddress(text) ?? canonicalSolanaAddress(text);
}
