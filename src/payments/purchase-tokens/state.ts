import type { PurchaseToken } from "../../../generated/prisma/client.ts";

/** What a purchase token has come to (spec section 3.1). `revoked` is this service's own: taken back before it paid. */
export type PurchaseTokenState = "unused" | "consumed" | "expired" | "revoked";

/** @param hasPayment whether the ledger has a payment of it that is outstanding or settled. */
export function stateOf(
  { revokedAt, expiresAt }: Pick<PurchaseToken, "revokedAt" | "expiresAt">,
  hasPayment: boolean,
): PurchaseTokenState {
  if (hasPayment) return "consumed";
  if (revokedAt !== null) return "revoked";
  return expiresAt.getTime() <= Date.now() ? "expired" : "unused";
}

/** `stateOf` in SQL, of a row called `child`. */
export const STATE_IN_SQL = `CASE
  WHEN EXISTS (SELECT FROM transactions WHERE purchase_token_id = child.id) THEN 'consumed'
  WHEN child.revoked_at IS NOT NULL THEN 'revoked'
  WHEN child.expires_at <= now() THEN 'expired' ELSE 'unused' END`;
