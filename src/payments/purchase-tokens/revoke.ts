import type { PurchaseToken } from "../../../generated/prisma/client.ts";
import { requireManager, type Viewer } from "../../accounts/viewer.ts";
import type { Database, Statement } from "../../platform/database/connection.ts";
import { NotFoundError } from "../../platform/errors.ts";

const REVOKE: Statement = {
  name: "revoke-purchase-token",
  text: `WITH revoked AS (
      UPDATE purchase_tokens SET revoked_at = coalesce(revoked_at, now()) WHERE id = $1 AND account_id = $2::uuid RETURNING id
    ), closed AS (
      UPDATE budgets SET closed_at = least(closed_at, now()) FROM revoked WHERE budgets.id = revoked.id
    )
    SELECT id FROM revoked`,
};

/**
 * Revokes a token immediately. No further payment can be reserved with it; a payment already reserved continues. Idempotent.
 * @throws {NotFoundError} when the account has no such token.
 */
export async function revokePurchaseToken(
  { db }: { readonly db: Database },
  viewer: Viewer | null,
  tokenId: string,
): Promise<PurchaseToken> {
  const { accountId } = requireManager(viewer);
  const [revoked] = await db.query<{ id: string }>(REVOKE, [tokenId, accountId]);
  if (!revoked) throw new NotFoundError("The purchase token does not exist.");
  return await db.prisma.purchaseToken.findUniqueOrThrow({ where: { id: revoked.id } });
}
