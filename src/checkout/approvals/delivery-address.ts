/** Where a purchase would go, whole: for the person who is to approve it, in their own browser. */
import type { CheckoutApproval } from "../../../generated/prisma/client.ts";
import { sessionOf, type Viewer } from "../../accounts/viewer.ts";
import type { CardDeps } from "../deps.ts";
import { openDeliveryAddress } from "../orders/delivery-address.ts";
import type { ShipTo } from "../quote/ship-to.ts";

/**
 * Null for anybody but the person in their own browser, and where nothing is delivered. Whoever shows it compares its
 * digest with the document's.
 */
export async function deliveryAddressOf(
  { db, keks }: Pick<CardDeps, "db" | "keks">,
  viewer: Viewer | null,
  { accountId, orderId }: Pick<CheckoutApproval, "accountId" | "orderId">,
): Promise<ShipTo | null> {
  const session = sessionOf(viewer);
  if (!session || session.accountId !== accountId) return null;
  const order = await db.prisma.checkoutOrder.findUnique({
    where: { id: orderId },
    select: { id: true, sealedShipTo: true, wrappedDataKey: true, kekId: true },
  });
  return order && (await openDeliveryAddress(keks, order));
}
