/** State of transactions on Solana. */
import { type PublicKey, SendTransactionError, VersionedTransaction } from "@solana/web3.js";
import { LRUCache } from "lru-cache";
import { encodeBase58 } from "../../platform/crypto/base58.ts";
import { type AuthorizationState, type SolanaTransferQuery, TransferFailedError } from "../chain.ts";
import { type SolanaRpc, toUnavailableError } from "./rpc.ts";

/** Number of blocks for which a blockhash is valid. */
const BLOCKHASH_BLOCKS = 150;
/** Maximum number of slots per block: even under heavy load, at least every second slot has a block. */
const SLOTS_PER_BLOCK = 2;
/** About one day of blocks. RPCs may no longer serve older ones. */
const RETAINED_BLOCKS = 216_000;
const PAGE = 1_000;
const MAX_PAGES = 20;
const PARALLEL_LOADS = 8;
const SIGNATURE = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/;

/** The signatures of a transaction, and whether it failed. */
interface CarriedSignatures {
  readonly signatures: readonly string[];
  readonly hasFailed: boolean;
}

/** Implements `transferState` of `SolanaChain` for a transfer out of the token account `source`. */
type TransferSearch = (query: SolanaTransferQuery, source: PublicKey) => Promise<AuthorizationState>;

export function createTransferSearch(rpc: SolanaRpc): TransferSearch {
  // Each pending transfer of a payer searches the same transactions, so they are cached.
  const seen = new LRUCache<string, CarriedSignatures>({ max: 20_000 });

  async function load(signature: string): Promise<CarriedSignatures | null> {
    const cached = seen.get(signature);
    if (cached) return cached;
    const config = { commitment: "confirmed", maxSupportedTransactionVersion: 0 } as const;
    const loaded = await rpc.request((connection) => connection.getTransaction(signature, config));
    if (!loaded?.meta) return null;
    const carried = { signatures: loaded.transaction.signatures, hasFailed: loaded.meta.err !== null };
    seen.set(signature, carried);
    return carried;
  }

  return async (query, source) => {
    const outcome = ({ hasFailed }: CarriedSignatures, txHash: string): AuthorizationState | undefined =>
      // The payer signed exactly this amount. A failed transaction moved no money and can be resent until it expires.
      hasFailed ? undefined : { state: "used", txHash, chargedAtomic: query.amountAtomic };

    const claim = query.claimedTxHash;
    if (claim && SIGNATURE.test(claim)) {
      const claimed = await load(claim).catch(() => null);
      if (claimed?.signatures.includes(query.payerSignature)) {
        const state = outcome(claimed, claim);
        if (state) return state;
      }
    }

    // The clock is read before the search, so a transfer that could still be included at that time is never declared dead.
    const now = await rpc.readFinalized();
    const blocksSinceExpiry = now.blockHeight - query.lastValidBlockHeight;
    const blocksSinceIssue = Math.max(0, blocksSinceExpiry + BLOCKHASH_BLOCKS);
    const firstSlot = now.slot - SLOTS_PER_BLOCK * (blocksSinceIssue + BLOCKHASH_BLOCKS);
    // A span of blocks has at least as many slots. The margin covers the time between the reads of height and slot.
    const lastSlot = now.slot - blocksSinceExpiry + BLOCKHASH_BLOCKS;

    let isComplete = false;
    let before: string | undefined;
    for (let page = 0; page < MAX_PAGES && !isComplete; page++) {
      const options = { limit: PAGE, minContextSlot: now.slot, ...(before ? { before } : {}) };
      const listed = await rpc.request((connection) =>
        connection.getSignaturesForAddress(source, options, "confirmed"),
      );
      const candidates = listed
        .filter(({ slot }) => slot >= firstSlot && slot <= lastSlot)
        .map(({ signature }) => signature);
      const found = await findFirst(candidates, async (signature) => {
        const carried = await load(signature);
        if (!carried) throw toUnavailableError(rpc.network, new Error());
        return carried.signatures.includes(query.payerSignature) ? { carried, signature } : undefined;
      });
      const state = found && outcome(found.carried, found.signature);
      if (state) return state;
      const oldest = listed.at(-1);
      isComplete = !oldest || listed.length < PAGE || oldest.slot < firstSlot || found !== undefined;
      before = oldest?.signature;
    }
    if (blocksSinceExpiry <= 0 || !isComplete) return { state: "open" };
    if (blocksSinceIssue > RETAINED_BLOCKS) {
      const firstAvailableSlot = await rpc.request((connection) => connection.getFirstAvailableBlock());
      if (firstAvailableSlot > firstSlot) return { state: "open" };
    }
    return { state: "dead" };
  };
}

/** Returns the first defined result of `check` in the order of `items`, with `PARALLEL_LOADS` concurrent calls. */
async function findFirst<T, R>(
  items: readonly T[],
  check: (item: T) => Promise<R | undefined>,
): Promise<R | undefined> {
  for (let start = 0; start < items.length; start += PARALLEL_LOADS) {
    const found = (await Promise.all(items.slice(start, start + PARALLEL_LOADS).map(check))).find(
      (each) => each !== undefined,
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Implements `broadcast` of `SolanaChain`. */
export async function broadcast(rpc: SolanaRpc, signedBase64: string): Promise<string> {
  const bytes = Buffer.from(signedBase64, "base64");
  const [first] = VersionedTransaction.deserialize(bytes).signatures;
  const signature = encodeBase58(first ?? new Uint8Array());
  try {
    return await rpc.connection.sendRawTransaction(bytes, { preflightCommitment: "confirmed" });
  } catch (error) {
    // The simulation also fails for a transaction that is already on chain.
    const statuses = await rpc.request((connection) =>
      connection.getSignatureStatuses([signature], { searchTransactionHistory: true }),
    );
    if (statuses.value[0]) return signature;
    const reason = error instanceof SendTransactionError ? error.transactionError.message : "";
    // A lagging node does not know the newest blockhash yet.
    if (
      /^Transaction (simulation failed|signature verification)/.test(reason) &&
      !/blockhash ?not ?found/i.test(reason)
    ) {
      throw new TransferFailedError("The network rejected the transfer: its simulation failed.");
    }
    throw toUnavailableError(rpc.network, error);
  }
}

/** Implements `signatureState` of `SolanaChain`. */
export async function signatureState(
  rpc: SolanaRpc,
  signature: string,
  lastValidBlockHeight: number,
): Promise<"pending" | "succeeded" | "reverted" | "expired"> {
  const { blockHeight } = await rpc.readFinalized();
  const { value } = await rpc.request((connection) =>
    connection.getSignatureStatuses([signature], { searchTransactionHistory: true }),
  );
  const status = value[0];
  if (!status) return blockHeight > lastValidBlockHeight ? "expired" : "pending";
  if (status.confirmationStatus === "processed") return "pending";
  return status.err ? "reverted" : "succeeded";
}
