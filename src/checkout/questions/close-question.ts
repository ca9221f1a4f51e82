/** Closing of an order's open question without an answer. */
import type { Prisma } from "../../../generated/prisma/client.ts";

/** Closes the open question of an order, if it has one: as expired after its deadline, otherwise as withdrawn. */
export async function closeQuestion(tx: Pick<Prisma.TransactionClient, "$executeRaw">, orderId: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE order_questions SET status = CASE WHEN expires_at <= now() THEN 'expired' ELSE 'withdrawn' END,
      open_slot = NULL, ended_at = least(now(), expires_at)
    WHERE open_slot = ${orderId}`;
}
