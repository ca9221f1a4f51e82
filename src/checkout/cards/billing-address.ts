import type { PaymentCard } from "../../../generated/prisma/client.ts";
import type { Database } from "../../platform/database/connection.ts";
import type { ShipTo } from "../quote/ship-to.ts";

/** Returns the billing address of a card; rows contain the output of `checkShipTo`. */
export function readBillingAddress({ billingAddress }: Pick<PaymentCard, "billingAddress">): ShipTo {
  return billingAddress as unknown as ShipTo;
}

/** Returns the default delivery address: the default card's billing address. Null while the account has no card. */
export async function findHomeAddress(db: Database, accountId: string): Promise<ShipTo | null> {
  const card = await db.prisma.paymentCard.findUnique({
    where: { defaultSlot: accountId },
    select: { billingAddress: true },
  });
  return card && readBillingAddress(card);
}
