/** Transactions that begin by locking one row. In each process, a keyed semaphore limits how many wait for the same row. */
import type { Prisma } from "../../../generated/prisma/client.ts";
import type { Database } from "../database/connection.ts";
import { createKeyedSemaphore } from "./keyed-semaphore.ts";

/** Long enough for a transaction that copies files while it holds the lock. */
const TRANSACTION_TIMEOUTS = { maxWait: 10_000, timeout: 30_000 };

/**
 * Runs `work` in a transaction that has locked the key's row. Counts that `work` reads remain exact until the commit.
 * @throws {RateLimitedError} too many callers wait for the key; `work` was not started
 */
export type RowLock = <Result>(
  db: Database,
  key: string,
  work: (tx: Prisma.TransactionClient) => Promise<Result>,
) => Promise<Result>;

/** @param lock locks the key's row, waiting until other transactions release it */
export function createRowLock(lock: (tx: Prisma.TransactionClient, key: string) => Promise<unknown>): RowLock {
  const withPermit = createKeyedSemaphore();
  return async ({ prisma }, key, work) => {
    const lockAndWork = async (tx: Prisma.TransactionClient) => {
      await lock(tx, key);
      return await work(tx);
    };
    return await withPermit(key, () => prisma.$transaction(lockAndWork, TRANSACTION_TIMEOUTS));
  };
}
