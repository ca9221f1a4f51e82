import {
  AccountRole,
  type AccountSignerMeta,
  type Address,
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  type Instruction,
  type KeyPairSigner,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from "@solana/kit";
import { ASSOCIATED_TOKEN_PROGRAM, associatedTokenAccount, TOKEN_PROGRAM } from "./token.ts";

const SYSTEM_PROGRAM = address("11111111111111111111111111111111");

/**
 * An issuance of USDC, lamports or both, in atomic units. `usdcAtomic` creates the owner's token account if necessary, even
 * if it is 0.
 */
export interface Issuance {
  owner: Address;
  usdcAtomic?: bigint;
  lamports?: bigint;
}

/** Creates the transaction of an issuance, paid and signed by `issuer`. Returns the wire bytes in base64. */
export async function createIssueTransaction(
  { owner, usdcAtomic, lamports }: Issuance,
  mint: Address,
  issuer: KeyPairSigner,
  blockhash: Blockhash,
): Promise<string> {
  const signer: AccountSignerMeta = { address: issuer.address, role: AccountRole.WRITABLE_SIGNER, signer: issuer };
  const tokenAccount = await associatedTokenAccount(owner, mint);
  const instructions: Instruction[] = [];
  if (usdcAtomic !== undefined) instructions.push(createTokenAccount(signer, tokenAccount, owner, mint));
  if (usdcAtomic) instructions.push(mintTo(signer, tokenAccount, mint, usdcAtomic));
  if (lamports) instructions.push(transferLamports(signer, owner, lamports));
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (draft) => setTransactionMessageFeePayerSigner(issuer, draft),
    (draft) => setTransactionMessageLifetimeUsingBlockhash({ blockhash, lastValidBlockHeight: 2n ** 63n }, draft),
    (draft) => appendTransactionMessageInstructions(instructions, draft),
  );
  return getBase64EncodedWireTransaction(await signTransactionMessageWithSigners(message));
}

/** Returns a `CreateIdempotent` instruction of the associated token account program. */
function createTokenAccount(
  payer: AccountSignerMeta,
  tokenAccount: Address,
  owner: Address,
  mint: Address,
): Instruction {
  return {
    programAddress: ASSOCIATED_TOKEN_PROGRAM,
    accounts: [
      payer,
      { address: tokenAccount, role: AccountRole.WRITABLE },
      { address: owner, role: AccountRole.READONLY },
      { address: mint, role: AccountRole.READONLY },
      { address: SYSTEM_PROGRAM, role: AccountRole.READONLY },
      { address: TOKEN_PROGRAM, role: AccountRole.READONLY },
    ],
    data: Uint8Array.of(1),
  };
}

/** Returns a `MintTo` instruction of the token program. */
function mintTo(authority: AccountSignerMeta, tokenAccount: Address, mint: Address, amountAtomic: bigint): Instruction {
  const data = Buffer.alloc(9);
  data.writeUInt8(7);
  data.writeBigUInt64LE(amountAtomic, 1);
  const accounts = [
    { address: mint, role: AccountRole.WRITABLE },
    { address: tokenAccount, role: AccountRole.WRITABLE },
    authority,
  ];
  return { programAddress: TOKEN_PROGRAM, accounts, data };
}

/** Returns a `Transfer` instruction of the system program. */
function transferLamports(from: AccountSignerMeta, to: Address, lamports: bigint): Instruction {
  const data = Buffer.alloc(12);
  data.writeUInt32LE(2);
  data.writeBigUInt64LE(lamports, 4);
  return { programAddress: SYSTEM_PROGRAM, accounts: [from, { address: to, role: AccountRole.WRITABLE }], data };
}
