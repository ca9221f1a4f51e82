/** The Solana transaction of the scheme `exact`: three instructions, and a memo instruction only if the seller requires one. */
import { randomBytes } from "node:crypto";
import { createTransferCheckedInstruction, getAssociatedTokenAddressSync } from "@solana/spl-token";
import {
  ComputeBudgetProgram,
  MessageV0,
  PublicKey,
  TransactionInstruction,
  TransactionMessage,
} from "@solana/web3.js";
import { LRUCache } from "lru-cache";

/** Limit in the simulation of a hosted facilitator; the contract allows up to 40,000. */
const COMPUTE_UNIT_LIMIT = 20_000;
/** The contract allows up to 5. */
const MICRO_LAMPORTS_PER_UNIT = 1;
const MEMO_PROGRAM = new PublicKey("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr");

/** Cache of token accounts: deriving one requires a search for a point off the curve, and wallets and sellers recur. */
const tokenAccounts = new LRUCache<string, PublicKey>({ max: 10_000 });

export interface SolanaTransferInput {
  readonly payer: string;
  readonly feePayer: string;
  readonly payTo: string;
  readonly asset: string;
  readonly amountAtomic: bigint;
  readonly decimals: number;
  /** The program that owns the mint. */
  readonly tokenProgram: string;
  readonly memo: string | null;
  readonly blockhash: string;
}

/**
 * Returns the serialised version 0 message, or null if the fee payer is among an instruction's accounts. Facilitators refuse such a
 * transaction, because it could move the fee payer's funds.
 */
export function buildSolanaTransfer(input: SolanaTransferInput): Uint8Array | null {
  const mint = new PublicKey(input.asset);
  const payer = new PublicKey(input.payer);
  const feePayer = new PublicKey(input.feePayer);
  const program = new PublicKey(input.tokenProgram);
  const source = tokenAccountOf(input, input.payer);
  const destination = tokenAccountOf(input, input.payTo);

  const instructions = [
    ComputeBudgetProgram.setComputeUnitLimit({ units: COMPUTE_UNIT_LIMIT }),
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports: MICRO_LAMPORTS_PER_UNIT }),
    createTransferCheckedInstruction(source, mint, destination, payer, input.amountAtomic, input.decimals, [], program),
  ];
  if (input.memo !== null) {
    instructions.push(
      new TransactionInstruction({ programId: MEMO_PROGRAM, keys: [], data: Buffer.from(input.memo, "utf8") }),
    );
  }
  const usedAccounts = instructions.flatMap((it) => [it.programId, ...it.keys.map((key) => key.pubkey)]);
  if (usedAccounts.some((key) => key.equals(feePayer))) return null;

  const message = new TransactionMessage({ payerKey: feePayer, recentBlockhash: input.blockhash, instructions });
  return addSalt(message.compileToV0Message()).serialize();
}

function tokenAccountOf({ asset, tokenProgram }: SolanaTransferInput, owner: string): PublicKey {
  const key = `${tokenProgram}/${asset}/${owner}`;
  const known = tokenAccounts.get(key);
  if (known) return known;
  // Recipients may be program-owned (multisig vaults), so off the curve.
  const [mint, wallet, program] = [new PublicKey(asset), new PublicKey(owner), new PublicKey(tokenProgram)];
  const account = getAssociatedTokenAddressSync(mint, wallet, true, program);
  tokenAccounts.set(key, account);
  return account;
}

/**
 * Adds a random read-only account that no instruction uses. Without it, two purchases at one price from one seller under the same
 * blockhash would be one transaction, and the second would not be paid. The reference distinguishes them by a random
 * memo, a fourth instruction that older verifiers refuse. The account is last in the list, so no index changes.
 */
function addSalt(message: MessageV0): MessageV0 {
  return new MessageV0({
    header: { ...message.header, numReadonlyUnsignedAccounts: message.header.numReadonlyUnsignedAccounts + 1 },
    staticAccountKeys: [...message.staticAccountKeys, new PublicKey(randomBytes(32))],
    recentBlockhash: message.recentBlockhash,
    compiledInstructions: message.compiledInstructions,
    addressTableLookups: message.addressTableLookups,
  });
}
