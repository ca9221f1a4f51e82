import { createRowLock } from "../platform/concurrency/row-lock.ts";

/**
 * Locks the account's row while `work` counts its objects and inserts one. Reservations of payments wait for the same
 * row, so `work` must be short.
 */
export const withAccountLock = createRowLock(
  (tx, accountId) => tx.$queryRaw`SELECT id FROM accounts WHERE id = ${accountId}::uuid FOR NO KEY UPDATE`,
);
