import type { Network, NetworkName } from "../wallet/networks.ts";
import { addressOn } from "../wallet/networks.ts";
import type { SealedWallet } from "../wallet/vault.ts";
import type { PaymentDeps } from "./deps.ts";
import type { StoredAuthorization } from "./x402/authorization.ts";
import type { EncodedPayment } from "./x402/payload.ts";
import { signAuthorization } from "./x402/sign.ts";

/** A payment the ledger knows as signed. Sending `encoded` twice is harmless: the chain takes it once. */
export interface SignedPayment {
  readonly transactionId: string;
  readonly encoded: EncodedPayment;
  readonly scheme: string;
  readonly network: NetworkName;
  /** The price, or for `upto` the most that may be charged. */
  readonly amountAtomic: bigint;
  readonly amountMicroUsd: bigint;
  /** Whose money it is, and who signed: they differ when credit pays. */
  readonly userWallet: string;
  readonly signingWallet: string;
  readonly paidFromCredit: boolean;
}

/** Signs what is reserved and commits the signature; only then may it leave the process. */
export async function signAndRecord(
  deps: PaymentDeps,
  transactionId: string,
  stored: StoredAuthorization,
  signer: SealedWallet,
): Promise<string> {
  const signature = await signAuthorization(stored.authorization, signer, deps.vault);
  const nonce = stored.authorization.kind === "solana" ? signature : null;
  if (!(await deps.recorder.signed({ id: transactionId, signature, nonce }))) {
    throw new Error("The reservation was released before it was signed.");
  }
  return signature;
}

export function partiesOf(network: Network, own: SealedWallet, signer: SealedWallet) {
  return {
    userWallet: addressOn(network, own),
    signingWallet: addressOn(network, signer),
    paidFromCredit: signer.id !== own.id,
  };
}
