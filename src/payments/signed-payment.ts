import { assertNotFrozen } from "../accounts/freeze/freeze-state.ts";
import type { Attempt } from "../wallet/attempts.ts";
import type { Network, NetworkName } from "../wallet/networks.ts";
import { addressOn } from "../wallet/networks.ts";
import type { SealedWallet } from "../wallet/vault.ts";
import type { PaymentDeps } from "./deps.ts";
import type { StoredAuthorization } from "./x402/authorization.ts";
import type { EncodedPayment } from "./x402/payload.ts";
import { signAuthorization } from "./x402/sign.ts";

/** A payment that the ledger records as signed. Sending `encoded` twice is harmless: the chain accepts it once. */
export interface SignedPayment {
  readonly transactionId: string;
  /** The attempt to get a response; null if equal requests do not continue the payment. */
  readonly attempt: Attempt | null;
  readonly encoded: EncodedPayment;
  /** Expiry of the authorization; null on Solana, where a block height bounds it. */
  readonly expiresAt: Date | null;
  readonly scheme: string;
  readonly network: NetworkName;
  /** The price, or the cap for `upto`. */
  readonly amountAtomic: bigint;
  readonly amountMicroUsd: bigint;
  /** The account's wallet and the wallet that signed; they differ when the payment is made from credit. */
  readonly userWallet: string;
  readonly signingWallet: string;
  readonly paidFromCredit: boolean;
}

/**
 * Signs a reserved payment and commits the signature, which may leave the process only afterwards.
 * @throws {AccountFrozenError | ServiceFrozenError} when the account was frozen after the reservation
 * @throws {Error} when the reservation was released before
 */
export async function signAndRecord(
  deps: PaymentDeps,
  transactionId: string,
  stored: StoredAuthorization,
  signer: SealedWallet,
): Promise<string> {
  const signature = await signAuthorization(stored.authorization, signer, deps.vault);
  const nonce = stored.authorization.kind === "solana" ? signature : null;
  if (!(await deps.recorder.recordSignature({ id: transactionId, signature, nonce }))) {
    const row = await deps.db.prisma.transaction.findUnique({
      where: { id: transactionId },
      select: { accountId: true },
    });
    if (row) await assertNotFrozen(deps.db, row.accountId);
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
