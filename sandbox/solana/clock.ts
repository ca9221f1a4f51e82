import { createHash } from "node:crypto";
import { type Blockhash, getBase58Decoder } from "@solana/kit";

/**
 * Slots follow the wall clock at 400 ms each since a fixed instant, and a slot's blockhash follows from its number. So
 * both go on across restarts as if the chain had never stopped, and nothing has to be stored or ticked.
 */
const GENESIS_MS = Date.UTC(2024, 0, 1);
export const SLOT_MS = 400;
/** A transaction may name the blockhash of any of this many latest blocks (about a minute). */
export const BLOCKHASH_VALID_SLOTS = 150;

const base58 = getBase58Decoder();

export interface SolanaClock {
  slot(): number;
  /** Unix seconds at which a slot began. */
  blockTime(slot: number): number;
  blockhash(slot: number): Blockhash;
  /** Whether a transaction with this blockhash may still be executed now. */
  isValid(blockhash: string): boolean;
}

/** `chain` keeps the blockhashes of two chains apart. */
export function createSolanaClock(chain: string): SolanaClock {
  const recent = new Map<string, number>();
  let remembered = 0;
  const slot = () => Math.floor((Date.now() - GENESIS_MS) / SLOT_MS);
  const blockhash = (at: number) =>
    base58.decode(createHash("sha256").update(`satchel sandbox ${chain} ${at}`).digest()) as Blockhash;

  /** Keeps the blockhashes of the last valid slots at hand. */
  function refresh(now: number): void {
    for (let at = Math.max(remembered + 1, now - BLOCKHASH_VALID_SLOTS); at <= now; at++) recent.set(blockhash(at), at);
    remembered = now;
    for (const [hash, at] of recent) {
      if (at >= now - BLOCKHASH_VALID_SLOTS) break;
      recent.delete(hash);
    }
  }

  return {
    slot,
    blockTime: (at) => Math.floor((GENESIS_MS + at * SLOT_MS) / 1000),
    blockhash,
    isValid(hash) {
      refresh(slot());
      return recent.has(hash);
    },
  };
}
