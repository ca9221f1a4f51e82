/** Records of orders for late disputes of a card charge, which outlive the deletion of their account. */
import type { Prisma } from "../../../generated/prisma/client.ts";
import type { Statement } from "../../platform/database/connection.ts";
import type { Logger } from "../../platform/observability/logger.ts";
import { removeOrderData } from "../retention.ts";
import { type EvidenceDeps, readEvidence } from "./evidence.ts";

/** Orders whose card was submitted to a merchant that charges it. */
const IS_CHARGEABLE = "submitted_at IS NOT NULL AND completed_at IS NOT NULL AND NOT is_test";

const REMOVE_DATA: Statement = {
  name: "remove-order-data-of-account",
  text: `WITH due AS MATERIALIZED (
      SELECT id FROM checkout_orders WHERE account_id = $1::uuid AND removal IS NULL AND ${IS_CHARGEABLE} FOR UPDATE
    ), ${removeOrderData("due")} SELECT count(*)::int AS removed FROM due`,
};

/**
 * Stores a record of each order of an account that can still be disputed: merchant, amount, time, order number and last digits of the
 * card. The signed evidence in it has no prompt, name or address. Can be repeated.
 */
export async function recordOrders(deps: EvidenceDeps & { readonly logger: Logger }, accountId: string): Promise<void> {
  const { db, logger } = deps;
  await db.query(REMOVE_DATA, [accountId]);
  const orders = await db.prisma.checkoutOrder.findMany({
    where: { accountId, submittedAt: { not: null }, completedAt: { not: null }, isTest: false },
    include: { merchant: { select: { name: true, domain: true } }, card: { select: { brand: true, last4: true } } },
  });
  for (const order of orders) {
    const evidence = await readEvidence(deps, order.id).catch((err: unknown) => {
      logger.error({ err, order: order.id }, "Evidence of an order of a deleted account could not be read");
      return null;
    });
    const { id, status, amountMinor, amountChargedMinor, currency, merchantOrderNumber } = order;
    await db.prisma.orderRecord.createMany({
      data: [
        {
          ...{ id, accountId, status, amountMinor, amountChargedMinor, currency, merchantOrderNumber },
          ...{ merchantName: order.merchant?.name ?? "", merchantDomain: order.merchant?.domain ?? "" },
          ...{ cardBrand: order.card?.brand ?? null, cardLast4: order.card?.last4 ?? null },
          ...{ submittedAt: order.submittedAt as Date, endedAt: order.completedAt as Date },
          ...(evidence === null ? {} : { evidence: evidence as Prisma.InputJsonObject }),
        },
      ],
      skipDuplicates: true,
    });
  }
}
