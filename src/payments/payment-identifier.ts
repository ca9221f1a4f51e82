/** Identifier of a payment in the extension `payment-identifier`, by which sellers detect repeated requests. */
import { randomBytes } from "node:crypto";
import type { SealedWallet, Vault } from "../wallet/vault.ts";
import { acceptsPaymentIdentifier, addPaymentIdentifier } from "./x402/extensions.ts";
import type { Requirement } from "./x402/requirement.ts";

const RANDOM_BYTES = 32;

/**
 * Returns the requirement with a payment identifier if the seller's extensions accept one. With an Idempotency-Key it is an HMAC of
 * account, seller origin and key, so it does not collide between accounts and reveals no key. Otherwise it is random. The ledger
 * stores it with the payment, which sends the same one each time.
 * @param wallet the account's own wallet, whichever wallet pays
 */
export async function identifyPayment(
  vault: Vault,
  wallet: SealedWallet,
  requirement: Requirement,
  { url, idempotencyKey }: { readonly url: string; readonly idempotencyKey: string | null },
): Promise<Requirement> {
  const { extensions } = requirement.echo;
  if (!acceptsPaymentIdentifier(extensions)) return requirement;
  const bytes =
    idempotencyKey === null
      ? randomBytes(RANDOM_BYTES)
      : await vault.deriveIdentifier(
          wallet,
          JSON.stringify(["payment", wallet.accountId, new URL(url).origin, idempotencyKey]),
        );
  const id = Buffer.from(bytes).toString("base64url");
  return { ...requirement, echo: { ...requirement.echo, extensions: addPaymentIdentifier(extensions, id) } };
}
