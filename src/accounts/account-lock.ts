import { createRowLock } from "../platform/concurrency/row-lock.ts";

/** Locks the account, by its id, while `work` counts what it has and adds to it. Payments wait for the same row: keep it short. */
export const withAccountLock = createRowLock(
  (tx, accountId) => tx.$queryRaw`SELECT id FROM accounts WHERE id = ${accountId}::uuid FOR NO KEY UPDATE`,
);
