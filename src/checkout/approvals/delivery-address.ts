/** The full delivery address of a purchase, for the account owner who decides about it. */
import type { CheckoutApproval } from "../../../generated/prisma/client.ts";
import { asSession, type Viewer } from "../../accounts/viewer.ts";
import type { CardDeps } from "../deps.ts";
import { openDeliveryAddress } from "../orders/delivery-address.ts";
import type { ShipTo } from "../quote/ship-to.ts";

/**
 * Returns the delivery address; null without the account owner's browser session, and when nothing is delivered. Before
 * displaying it, compare its digest with the one in the approval's document.
 */
export async function readDeliveryAddress(
  { db, keks }: Pick<CardDeps, "db" | "keks">,
  viewer: Viewer | null,
  { accountId, orderId }: Pick<CheckoutApproval, "accountId" | "orderId">,
): Promise<ShipTo | null> {
  const session = asSession(viewer);
  if (!session || session.accountId !== accountId) return null;
  const order = await db.prisma.checkoutOrder.findFirst({
    where: { id: orderId, accountId },
    select: { id: true, accountId: true, sealedShipTo: true, wrappedDataKey: true, kekId: true },
  });
  return order && (await openDeliveryAddress(keks, order));
}
