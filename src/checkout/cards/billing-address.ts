import type { PaymentCard } from "../../../generated/prisma/client.ts";
import type { Database } from "../../platform/database/connection.ts";
import type { ShipTo } from "../quote/ship-to.ts";

/** A card's address as its row keeps it: as `checkShipTo` made it. */
export function billingAddressOf({ billingAddress }: Pick<PaymentCard, "billingAddress">): ShipTo {
  return billingAddress as unknown as ShipTo;
}

/** Where an order goes unless it names an address: the default card's. Null while the account has no card. */
export async function homeAddress(db: Database, accountId: string): Promise<ShipTo | null> {
  const card = await db.prisma.paymentCard.findUnique({
    where: { defaultSlot: accountId },
    select: { billingAddress: true },
  });
  return card && billingAddressOf(card);
}
