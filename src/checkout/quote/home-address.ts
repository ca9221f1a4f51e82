/** Where an order goes when nobody says otherwise: to the cardholder, at the default card's billing address. */
import type { Database } from "../../platform/database/connection.ts";
import { billingAddressOf } from "../cards/billing-address.ts";
import type { ShipTo } from "./ship-to.ts";

/** Null while the account has no card. */
export async function homeAddress(db: Database, accountId: string): Promise<ShipTo | null> {
  const card = await db.prisma.paymentCard.findUnique({
    where: { defaultSlot: accountId },
    select: { billingAddress: true },
  });
  return card && billingAddressOf(card);
}
