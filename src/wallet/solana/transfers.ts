/** What became of transactions on Solana. */
import { type PublicKey, SendTransactionError, VersionedTransaction } from "@solana/web3.js";
import { LRUCache } from "lru-cache";
import { encodeBase58 } from "../../platform/crypto/base58.ts";
import { type AuthorizationState, type SolanaTransferQuery, TransferFailedError } from "../chain.ts";
import { type SolanaRpc, unavailable } from "./rpc.ts";

/** A blockhash is good for this many blocks. */
const BLOCKHASH_BLOCKS = 150;
/** At most every other slot stays without a block, even in bad times. */
const SLOTS_PER_BLOCK = 2;
/** About a day. RPCs may have dropped what is older. */
const KEPT_BLOCKS = 216_000;
const PAGE = 1_000;
const MAX_PAGES = 20;
const PARALLEL_LOADS = 8;
const SIGNATURE = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/;

/** Which signatures a transaction carries, and whether it failed. */
interface Carried {
  readonly signatures: readonly string[];
  readonly failed: boolean;
}

/** `transferState` of `SolanaChain`, for a transfer out of the token account `source`. */
type TransferSearch = (query: SolanaTransferQuery, source: PublicKey) => Promise<AuthorizationState>;

export function createTransferSearch(rpc: SolanaRpc): TransferSearch {
  // A busy payer's other transactions are looked through by each of its pending transfers: once is enough.
  const seen = new LRUCache<string, Carried>({ max: 20_000 });

  async function load(signature: string): Promise<Carried | null> {
    const known = seen.get(signature);
    if (known) return known;
    const config = { commitment: "confirmed", maxSupportedTransactionVersion: 0 } as const;
    const loaded = await rpc.ask((connection) => connection.getTransaction(signature, config));
    if (!loaded?.meta) return null;
    const carried = { signatures: loaded.transaction.signatures, failed: loaded.meta.err !== null };
    seen.set(signature, carried);
    return carried;
  }

  return async (q, source) => {
    const outcome = ({ failed }: Carried, txHash: string): AuthorizationState | undefined =>
      // The payer signed exactly this amount. A failed transaction moved nothing, and can be tried again until it expires.
      failed ? undefined : { state: "used", txHash, chargedAtomic: q.amountAtomic };

    const claim = q.claimedTxHash;
    if (claim && SIGNATURE.test(claim)) {
      const claimed = await load(claim).catch(() => null);
      if (claimed?.signatures.includes(q.payerSignature)) {
        const state = outcome(claimed, claim);
        if (state) return state;
      }
    }

    // The clock before the search: what could still land when it was read is never called dead.
    const now = await rpc.finalized();
    const blocksSinceExpiry = now.blockHeight - q.lastValidBlockHeight;
    const blocksSinceBirth = Math.max(0, blocksSinceExpiry + BLOCKHASH_BLOCKS);
    const firstSlot = now.slot - SLOTS_PER_BLOCK * (blocksSinceBirth + BLOCKHASH_BLOCKS);
    // Between two blocks lie at least as many slots as blocks; some slack, as height and slot are read a moment apart.
    const lastSlot = now.slot - blocksSinceExpiry + BLOCKHASH_BLOCKS;

    let complete = false;
    let before: string | undefined;
    for (let page = 0; page < MAX_PAGES && !complete; page++) {
      const options = { limit: PAGE, minContextSlot: now.slot, ...(before ? { before } : {}) };
      const listed = await rpc.ask((connection) => connection.getSignaturesForAddress(source, options, "confirmed"));
      const candidates = listed
        .filter(({ slot }) => slot >= firstSlot && slot <= lastSlot)
        .map(({ signature }) => signature);
      const found = await firstOf(candidates, async (signature) => {
        const carried = await load(signature);
        if (!carried) throw unavailable(rpc.network, new Error());
        return carried.signatures.includes(q.payerSignature) ? { carried, signature } : undefined;
      });
      const state = found && outcome(found.carried, found.signature);
      if (state) return state;
      const oldest = listed.at(-1);
      complete = !oldest || listed.length < PAGE || oldest.slot < firstSlot || found !== undefined;
      before = oldest?.signature;
    }
    if (blocksSinceExpiry <= 0 || !complete) return { state: "open" };
    if (blocksSinceBirth > KEPT_BLOCKS) {
      const firstKept = await rpc.ask((connection) => connection.getFirstAvailableBlock());
      if (firstKept > firstSlot) return { state: "open" };
    }
    return { state: "dead" };
  };
}

/** The first answer of `look` in order, a few at a time. */
async function firstOf<T, R>(items: readonly T[], look: (item: T) => Promise<R | undefined>): Promise<R | undefined> {
  for (let start = 0; start < items.length; start += PARALLEL_LOADS) {
    const found = (await Promise.all(items.slice(start, start + PARALLEL_LOADS).map(look))).find(
      (each) => each !== undefined,
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `broadcast` of `SolanaChain`. */
export async function broadcast(rpc: SolanaRpc, signedBase64: string): Promise<string> {
  const bytes = Buffer.from(signedBase64, "base64");
  const [first] = VersionedTransaction.deserialize(bytes).signatures;
  const signature = encodeBase58(first ?? new Uint8Array());
  try {
    return await rpc.connection.sendRawTransaction(bytes, { preflightCommitment: "confirmed" });
  } catch (error) {
    // The simulation of a transaction that is on chain already fails too.
    const known = await rpc.ask((connection) =>
      connection.getSignatureStatuses([signature], { searchTransactionHistory: true }),
    );
    if (known.value[0]) return signature;
    const why = error instanceof SendTransactionError ? error.transactionError.message : "";
    // A node that lags behind does not know the newest blockhash yet.
    if (/^Transaction (simulation failed|signature verification)/.test(why) && !/blockhash ?not ?found/i.test(why)) {
      throw new TransferFailedError("The network refused the transfer: its simulation failed.");
    }
    throw unavailable(rpc.network, error);
  }
}

/** `signatureState` of `SolanaChain`. */
export async function signatureState(
  rpc: SolanaRpc,
  signature: string,
  lastValidBlockHeight: number,
): Promise<"pending" | "succeeded" | "reverted" | "expired"> {
  const { blockHeight } = await rpc.finalized();
  const { value } = await rpc.ask((connection) =>
    connection.getSignatureStatuses([signature], { searchTransactionHistory: true }),
  );
  const status = value[0];
  if (!status) return blockHeight > lastValidBlockHeight ? "expired" : "pending";
  if (status.confirmationStatus === "processed") return "pending";
  return status.err ? "reverted" : "succeeded";
}
