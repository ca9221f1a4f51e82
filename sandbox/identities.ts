import { createHash } from "node:crypto";
import { createKeyPairSignerFromPrivateKeyBytes } from "@solana/kit";
import { privateKeyToAccount } from "viem/accounts";

/**
 * Who acts in the sandbox. The keys are derived from fixed phrases, so that addresses stay the same across restarts
 * and installations; they are worth nothing outside it.
 */
const secret = (phrase: string) => createHash("sha256").update(`satchel sandbox ${phrase}`).digest();
const evmAccount = (phrase: string) => privateKeyToAccount(`0x${secret(phrase).toString("hex")}`);

/** Settles payments on EVM chains; the declared spender of `upto` permits. */
export const facilitatorEvm = evmAccount("facilitator evm");
/** May mint the sandbox's USDC. */
export const issuerEvm = evmAccount("issuer evm");
/** Where the shops are paid on EVM chains. */
export const shopEvmAddress = evmAccount("shop evm").address;
/** An address that is nobody's declared spender; a misbehaving shop asks to be given the permit. */
export const strangerEvmAddress = evmAccount("stranger evm").address;

/** Pays fees and settles on Solana. */
export const facilitatorSolana = await createKeyPairSignerFromPrivateKeyBytes(secret("facilitator solana"));
/** Mint authority of the sandbox's USDC on Solana. */
export const issuerSolana = await createKeyPairSignerFromPrivateKeyBytes(secret("issuer solana"));
/** Where the shops are paid on Solana (owner of the token account). */
export const shopSolana = await createKeyPairSignerFromPrivateKeyBytes(secret("shop solana"));
