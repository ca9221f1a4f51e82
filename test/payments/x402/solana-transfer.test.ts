import { getAssociatedTokenAddressSync, TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from "@solana/spl-token";
import { ComputeBudgetProgram, Keypair, PublicKey, TransactionMessage, VersionedMessage } from "@solana/web3.js";
import { describe, expect, it } from "vitest";
import { buildSolanaTransfer, type SolanaTransferInput } from "../../../src/payments/x402/solana-transfer.ts";
import { NETWORKS } from "../../../src/wallet/networks.ts";

const newAddress = () => Keypair.generate().publicKey.toBase58();
const input: SolanaTransferInput = {
  payer: newAddress(),
  feePayer: newAddress(),
  payTo: newAddress(),
  asset: NETWORKS["solana-devnet"].usdc.address,
  amountAtomic: 250_000n,
  decimals: 6,
  tokenProgram: TOKEN_PROGRAM_ID.toBase58(),
  memo: null,
  blockhash: newAddress(),
};

function decompile(bytes: Uint8Array | null) {
  if (!bytes) throw new Error("refused");
  return TransactionMessage.decompile(VersionedMessage.deserialize(bytes));
}

const tokenAccount = (owner: string, program = TOKEN_PROGRAM_ID) =>
  getAssociatedTokenAddressSync(new PublicKey(input.asset), new PublicKey(owner), true, program);

describe("a Solana transfer", () => {
  it("has exactly three instructions: limit 20,000, price 1 microlamport, TransferChecked to the associated account", () => {
    const { instructions, payerKey } = decompile(buildSolanaTransfer(input));
    const [limit, price, transfer, ...rest] = instructions;
    expect(rest).toEqual([]);
    expect(payerKey.toBase58()).toBe(input.feePayer);
    expect([limit?.programId, price?.programId]).toEqual([
      ComputeBudgetProgram.programId,
      ComputeBudgetProgram.programId,
    ]);
    expect([limit?.data[0], limit?.data.readUInt32LE(1)]).toEqual([2, 20_000]);
    expect([price?.data[0], price?.data.readBigUInt64LE(1)]).toEqual([3, 1n]);
    expect(transfer?.programId).toEqual(TOKEN_PROGRAM_ID);
    expect([transfer?.data[0], transfer?.data.readBigUInt64LE(1), transfer?.data[9]]).toEqual([12, 250_000n, 6]);
    expect(transfer?.keys.map((key) => key.pubkey.toBase58())).toEqual([
      tokenAccount(input.payer).toBase58(),
      input.asset,
      tokenAccount(input.payTo).toBase58(),
      input.payer,
    ]);
  });

  it("contains a memo only if the seller requires one", () => {
    const { instructions } = decompile(buildSolanaTransfer({ ...input, memo: "order é 7" }));
    expect(instructions).toHaveLength(4);
    expect(instructions[3]?.programId.toBase58()).toBe("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr");
    expect(instructions[3]?.keys).toEqual([]);
    expect(instructions[3]?.data.toString("utf8")).toBe("order é 7");
  });

  it("uses the program that owns the mint", () => {
    const { instructions } = decompile(
      buildSolanaTransfer({ ...input, tokenProgram: TOKEN_2022_PROGRAM_ID.toBase58() }),
    );
    expect(instructions[2]?.programId).toEqual(TOKEN_2022_PROGRAM_ID);
    expect(instructions[2]?.keys[0]?.pubkey).toEqual(tokenAccount(input.payer, TOKEN_2022_PROGRAM_ID));
  });

  it("is refused if the fee payer is among an instruction's accounts", () => {
    const touching = [input.payer, input.asset, tokenAccount(input.payTo).toBase58(), TOKEN_PROGRAM_ID.toBase58()];
    for (const feePayer of touching) expect(buildSolanaTransfer({ ...input, feePayer })).toBeNull();
    // A seller may pay its own fees: the transfer contains its token account, not its address.
    expect(buildSolanaTransfer({ ...input, feePayer: input.payTo })).not.toBeNull();
  });

  it("differs from another with the same price, payee and blockhash", () => {
    const serialised = new Set(
      Array.from({ length: 50 }, () => Buffer.from(buildSolanaTransfer(input) ?? []).toString("hex")),
    );
    expect(serialised.size).toBe(50);
  });
});
