import type { Database } from "../../platform/database/connection.ts";

/**
 * Returns whether a merchant billed the delivery address at the latest order to another address than the cardholder's. False
 * without such an order: most checkouts have fields for the cardholder's address.
 */
export async function findBillingUse({ prisma }: Database, merchantId: string): Promise<boolean> {
  const latest = await prisma.checkoutOrder.findFirst({
    where: { merchantId, billingUsesShipTo: { not: null } },
    orderBy: { createdAt: "desc" },
    select: { billingUsesShipTo: true },
  });
  return latest?.billingUsesShipTo === true;
}
