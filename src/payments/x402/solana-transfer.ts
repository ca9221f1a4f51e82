/** The transaction of `exact` on Solana: exactly three instructions, and a memo only when the shop asks for one. */
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

/** What a hosted facilitator's simulation allows; the contract's ceiling is 40,000. */
const COMPUTE_UNIT_LIMIT = 20_000;
/** The contract's ceiling is 5. */
const MICRO_LAMPORTS_PER_UNIT = 1;
const MEMO_PROGRAM = new PublicKey("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr");

/** Deriving one costs a search for a point off the curve, and the same wallets meet the same shops. */
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
 * The serialised version 0 message, or null when the fee payer would appear in an instruction's accounts: a facilitator
 * refuses that, since it could be made to pay.
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
  const touched = instructions.flatMap((it) => [it.programId, ...it.keys.map((key) => key.pubkey)]);
  if (touched.some((key) => key.equals(feePayer))) return null;

  const message = new TransactionMessage({ payerKey: feePayer, recentBlockhash: input.blockhash, instructions });
  return salted(message.compileToV0Message()).serialize();
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
 * Two purchases of one price from one shop within a blockhash's life would be one and the same transaction, and the second
 * would never be paid. The reference tells them apart by a random memo, which is a fourth instruction that older verifiers
 * refuse. A random read-only account that no instruction uses does the same: it is last in the list, so no index moves.
 */
function salted(message: MessageV0): MessageV0 {
  return new MessageV0({
    header: { ...message.header, numReadonlyUnsignedAccounts: message.header.numReadonlyUnsignedAccounts + 1 },
    staticAccountKeys: [...message.staticAccountKeys, new PublicKey(randomBytes(32))],
    recentBlockhash: message.recentBlockhash,
    compiledInstructions: message.compiledInstructions,
    addressTableLookups: message.addressTableLookups,
  });
}
