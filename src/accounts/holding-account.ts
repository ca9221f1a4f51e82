/** Changes of an account that count what it has before they add to it. */
import type { Prisma } from "../../generated/prisma/client.ts";
import type { Database } from "../platform/database.ts";
import { createTurns } from "../platform/turns.ts";

const PATIENTLY = { maxWait: 10_000, timeout: 20_000 };

const inTurn = createTurns();

/**
 * Does `work` in a transaction during which nobody else does such work for the account: what is counted there stays true.
 * The account's payments wait for the same row, so it should not take long.
 * @throws {RateLimitedError} when too much of it waits already
 */
export async function holdingAccount<Result>(
  { prisma }: Database,
  accountId: string,
  work: (tx: Prisma.TransactionClient) => Promise<Result>,
): Promise<Result> {
  const hold = async (tx: Prisma.TransactionClient) => {
    await tx.$queryRaw`SELECT id FROM accounts WHERE id = ${accountId}::uuid FOR NO KEY UPDATE`;
    return await work(tx);
  };
  return await inTurn(accountId, () => prisma.$transaction(hold, PATIENTLY));
}
