import type { PurchaseToken } from "../../../generated/prisma/client.ts";

/** State of a purchase token (spec section 3.1). `revoked`, which the contract does not have: revoked before it paid. */
export type PurchaseTokenState = "unused" | "consumed" | "expired" | "revoked";

/** @param hasPayment whether the ledger has an outstanding or settled payment of the token */
export function stateOf(
  { revokedAt, expiresAt }: Pick<PurchaseToken, "revokedAt" | "expiresAt">,
  hasPayment: boolean,
): PurchaseTokenState {
  if (hasPayment) return "consumed";
  if (revokedAt !== null) return "revoked";
  return expiresAt.getTime() <= Date.now() ? "expired" : "unused";
}

/** `stateOf` as an SQL expression on a row with the alias `child`. */
export const STATE_IN_SQL = `CASE
  WHEN EXISTS (SELECT FROM transactions WHERE purchase_token_id = child.id) THEN 'consumed'
  WHEN child.revoked_at IS NOT NULL THEN 'revoked'
  WHEN child.expires_at <= now() THEN 'expired' ELSE 'unused' END`;
