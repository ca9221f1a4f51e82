import type { Database } from "../../platform/database/connection.ts";
import { findStoredId } from "../../platform/idempotency/stored-id.ts";

/** Returns the confirmation of the order that was dispatched under an idempotency key; null if there is none. */
export async function findConfirmation(db: Database, accountId: string, idempotencyKey: string) {
  const orderId = await findStoredId(db, accountId, idempotencyKey);
  const order =
    orderId === null ? null : await db.prisma.checkoutOrder.findFirst({ where: { id: orderId, accountId } });
  if (!order) return null;
  const { userConfirmationText, userConfirmationSource: source, cardId } = order;
  return userConfirmationText === null ? null : { orderId: order.id, text: userConfirmationText, source, cardId };
}
