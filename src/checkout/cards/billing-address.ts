import type { PaymentCard } from "../../../generated/prisma/client.ts";
import type { ShipTo } from "../quote/ship-to.ts";

/** A card's address as its row keeps it: as `checkShipTo` made it. */
export function billingAddressOf({ billingAddress }: Pick<PaymentCard, "billingAddress">): ShipTo {
  return billingAddress as unknown as ShipTo;
}
