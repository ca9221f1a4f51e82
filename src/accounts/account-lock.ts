import type { Prisma } from "../../generated/prisma/client.ts";
import { createRowLock } from "../platform/concurrency/row-lock.ts";

/**
 * Locks the account's row while `work` counts its objects and inserts one. Reservations of payments wait for the same
 * row, so `work` must be short.
 */
export const withAccountLock = createRowLock(lockAccount);

/** Locks the account's row until the transaction ends. */
export async function lockAccount(tx: Prisma.TransactionClient, accountId: string): Promise<void> {
  await tx.$queryRaw`SELECT id FROM accounts WHERE id = ${accountId}::uuid FOR NO KEY UPDATE`;
}
