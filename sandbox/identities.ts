import { createHash } from "node:crypto";
import { createKeyPairSignerFromPrivateKeyBytes } from "@solana/kit";
import { privateKeyToAccount } from "viem/accounts";

/**
 * Keys of the sandbox's parties. They are derived from fixed phrases for stable addresses across restarts and
 * installations. Outside the sandbox they have no value.
 */
const deriveSecret = (phrase: string) => createHash("sha256").update(`satchel sandbox ${phrase}`).digest();
const deriveEvmAccount = (phrase: string) => privateKeyToAccount(`0x${deriveSecret(phrase).toString("hex")}`);

/** Settles payments on EVM chains and is the declared spender of `upto` permits. */
export const facilitatorEvm = deriveEvmAccount("facilitator evm");
/** Mint authority of the sandbox's USDC on EVM chains. */
export const issuerEvm = deriveEvmAccount("issuer evm");
/** Payee address of the sandbox sellers on EVM chains. */
export const sellerEvmAddress = deriveEvmAccount("shop evm").address;
/** An address that no facilitator declares as a spender. A faulty seller names it as the permit's spender. */
export const unrelatedEvmAddress = deriveEvmAccount("stranger evm").address;

/** Pays fees and settles on Solana. */
export const facilitatorSolana = await createKeyPairSignerFromPrivateKeyBytes(deriveSecret("facilitator solana"));
/** Mint authority of the sandbox's USDC on Solana. */
export const issuerSolana = await createKeyPairSignerFromPrivateKeyBytes(deriveSecret("issuer solana"));
/** Payee of the sandbox sellers on Solana (owner of the token account). */
export const sellerSolana = await createKeyPairSignerFromPrivateKeyBytes(deriveSecret("shop solana"));
