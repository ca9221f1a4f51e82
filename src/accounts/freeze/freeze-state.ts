/**
 * The freeze of an account or of the service, stored in `accounts.frozen_at` and in the row of `service_freeze`. Every statement
 * that moves money, releases a signature or a card, or sends email reads both. No node caches them.
 *
 * A freeze is in force when its transaction commits. `running-statements.ts` then waits for each statement that began before, so
 * nothing happens after the response. All of them read the table `service_freeze`.
 */
import { Prisma } from "../../../generated/prisma/client.ts";
import type { Database, Statement } from "../../platform/database/connection.ts";
import { AccountFrozenError, ServiceFrozenError } from "../../platform/errors.ts";

/** Who froze an account; `service`: the whole service is frozen. */
export type FrozenBy = "owner" | "administrator" | "service";

/** Returns the error of a freeze. */
export function freezeError(frozenBy: FrozenBy): AccountFrozenError | ServiceFrozenError {
  return frozenBy === "service" ? new ServiceFrozenError() : new AccountFrozenError(frozenBy);
}

/** SQL condition that the service is not frozen. The planner evaluates it once for each statement. */
export const IS_SERVICE_OPEN = "NOT EXISTS (SELECT FROM service_freeze)";

/** Returns the SQL condition that neither the service nor the account, whose row has the alias, is frozen. */
export const isOpen = (alias: string): string => `${alias}.frozen_at IS NULL AND ${IS_SERVICE_OPEN}`;

/**
 * Returns the SQL expression of the `FrozenBy` of an account, whose row has the alias; null if it is not frozen. The freeze of the
 * account precedes that of the service, during which administrators can act.
 */
export const frozenByOf = (alias: string): string =>
  `coalesce(${alias}.frozen_by, CASE WHEN NOT ${IS_SERVICE_OPEN} THEN 'service' END)`;

/**
 * Returns the SQL condition that the owner of an account, whose row has the alias, can sign in, unless they are an administrator. What
 * the owner can cancel in a period must not complete without it.
 */
export const mayOwnerSignIn = (alias: string): string =>
  `${alias}.frozen_by IS DISTINCT FROM 'administrator' AND ${IS_SERVICE_OPEN}`;

/**
 * Returns the SQL condition that an account is not frozen, which locks the account against a freeze until the commit.
 * @param accountId SQL expression of the account's id
 */
export const isHeldOpen = (accountId: string): string =>
  `(SELECT f.id FROM accounts f WHERE f.id = ${accountId} AND ${isOpen("f")} FOR SHARE) IS NOT NULL`;

const FIND: Statement = {
  name: "find-freeze",
  text: `SELECT ${frozenByOf("a")} AS frozen_by FROM accounts a WHERE a.id = $1`,
};

/** Returns who froze the account or the service; null if neither is frozen. */
export async function findFreeze(db: Database, accountId: string): Promise<FrozenBy | null> {
  const [row] = await db.query<{ frozen_by: FrozenBy | null }>(FIND, [accountId]);
  return row?.frozen_by ?? null;
}

/** @throws {AccountFrozenError | ServiceFrozenError} if the account or the service is frozen */
export async function assertNotFrozen(db: Database, accountId: string): Promise<void> {
  const frozenBy = await findFreeze(db, accountId);
  if (frozenBy !== null) throw freezeError(frozenBy);
}

/**
 * Locks the account against a freeze until the transaction ends.
 * @throws {AccountFrozenError | ServiceFrozenError} if the account or the service is frozen
 */
export async function holdOpen(tx: Prisma.TransactionClient, accountId: string): Promise<void> {
  const [row] = await tx.$queryRaw<{ frozenBy: FrozenBy | null }[]>`
    SELECT ${Prisma.raw(frozenByOf("a"))} AS "frozenBy" FROM accounts a WHERE a.id = ${accountId}::uuid FOR SHARE`;
  if (row?.frozenBy) throw freezeError(row.frozenBy);
}

/** Returns whether the whole service is frozen. */
export async function isServiceFrozen({ prisma }: Database): Promise<boolean> {
  return (await prisma.serviceFreeze.count()) > 0;
}
