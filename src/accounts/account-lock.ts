import { createRowLock } from "../platform/concurrency/row-lock.ts";

/**
 * Changes of an account, by its id, that count what it has before they add to it. The account's payments wait for the same row,
 * so they should not take long.
 */
export const withAccountLock = createRowLock(
  (tx, accountId) => tx.$queryRaw`SELECT id FROM accounts WHERE id = ${accountId}::uuid FOR NO KEY UPDATE`,
);
