/** Transactions that hold a row from their beginning, in a line for each row. */
import type { Prisma } from "../../../generated/prisma/client.ts";
import type { Database } from "../database/connection.ts";
import { createKeyedSemaphore } from "./keyed-semaphore.ts";

/** Whoever has the row may be copying files meanwhile. */
const PATIENTLY = { maxWait: 10_000, timeout: 30_000 };

/**
 * Does `work` in a transaction during which nobody else does such work for the same key: what is counted there stays true.
 * @throws {RateLimitedError} when too much of it waits already; nothing was begun
 */
export type RowLock = <Result>(
  db: Database,
  key: string,
  work: (tx: Prisma.TransactionClient) => Promise<Result>,
) => Promise<Result>;

/** @param hold takes the key's row, and waits for whoever has it */
export function createRowLock(hold: (tx: Prisma.TransactionClient, key: string) => Promise<unknown>): RowLock {
  const inTurn = createKeyedSemaphore();
  return async ({ prisma }, key, work) => {
    const holdAndWork = async (tx: Prisma.TransactionClient) => {
      await hold(tx, key);
      return await work(tx);
    };
    return await inTurn(key, () => prisma.$transaction(holdAndWork, PATIENTLY));
  };
}
