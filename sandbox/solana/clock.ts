import { createHash } from "node:crypto";
import { type Blockhash, getBase58Decoder } from "@solana/kit";

/**
 * Time of slot 0. Slots are derived from the wall clock at 400 ms each, and the blockhash of a slot from its number. Both
 * continue across restarts without stored state or a timer.
 */
const GENESIS_MS = Date.UTC(2024, 0, 1);
export const SLOT_MS = 400;
/** Number of latest slots whose blockhash is valid for a transaction, about one minute. */
export const BLOCKHASH_VALID_SLOTS = 150;

const base58 = getBase58Decoder();

/** The slots and blockhashes of a chain. */
export interface SolanaClock {
  slot(): number;
  /** Returns the start time of a slot in Unix seconds. */
  blockTime(slot: number): number;
  blockhash(slot: number): Blockhash;
  /** Returns whether a transaction with this blockhash can still be executed. */
  isValid(blockhash: string): boolean;
}

/** Creates a clock. `chain` makes the blockhashes of different chains different. */
export function createSolanaClock(chain: string): SolanaClock {
  const recentBlockhashes = new Map<string, number>();
  let lastCachedSlot = 0;
  const slot = () => Math.floor((Date.now() - GENESIS_MS) / SLOT_MS);
  const blockhash = (at: number) =>
    base58.decode(createHash("sha256").update(`satchel sandbox ${chain} ${at}`).digest()) as Blockhash;

  /** Updates the cache of valid blockhashes. */
  function refresh(now: number): void {
    for (let at = Math.max(lastCachedSlot + 1, now - BLOCKHASH_VALID_SLOTS); at <= now; at++)
      recentBlockhashes.set(blockhash(at), at);
    lastCachedSlot = now;
    for (const [hash, at] of recentBlockhashes) {
      if (at >= now - BLOCKHASH_VALID_SLOTS) break;
      recentBlockhashes.delete(hash);
    }
  }

  return {
    slot,
    blockTime: (at) => Math.floor((GENESIS_MS + at * SLOT_MS) / 1000),
    blockhash,
    isValid(hash) {
      refresh(slot());
      return recentBlockhashes.has(hash);
    },
  };
}
