/** The freeze of an account whose deletion is scheduled. It counts as the owner's, who can still sign in to cancel the deletion. */
import type { Account, Prisma } from "../../../generated/prisma/client.ts";
import { ForbiddenError } from "../../platform/errors.ts";
import { endFreeze, startFreeze } from "./freeze-record.ts";
import { freezeError } from "./freeze-state.ts";

const REASON = "The deletion of the account was requested.";

/**
 * Freezes the account of a new deletion. The caller locks the account.
 * @returns the id of the freeze; null if the owner froze the account before
 * @throws {AccountFrozenError} if an administrator froze the account
 */
export async function freezeForDeletion(tx: Prisma.TransactionClient, accountId: string): Promise<string | null> {
  const account = await tx.account.findUniqueOrThrow({ where: { id: accountId } });
  if (account.frozenBy === "administrator") throw freezeError("administrator");
  return account.frozenAt === null ? await startFreeze(tx, account, "owner", REASON) : null;
}

/**
 * Ends the freeze of a cancelled deletion. A freeze of an administrator, or one that the owner started, remains.
 * The caller locks the account.
 * @returns the id of the freeze; null if it remains or has ended
 */
export async function endDeletionFreeze(
  tx: Prisma.TransactionClient,
  { accountId, freezeId }: { readonly accountId: string; readonly freezeId: string | null },
): Promise<string | null> {
  if (freezeId === null) return null;
  // An administrator's freeze ends this one, and is another.
  if ((await tx.accountFreeze.count({ where: { id: freezeId, unfrozenAt: null } })) === 0) return null;
  return await endFreeze(tx, await tx.account.findUniqueOrThrow({ where: { id: accountId } }));
}

/** Leaves the account frozen after a cancellation of its deletion, because the owner stopped everything meanwhile. */
export async function detachDeletionFreeze(tx: Prisma.TransactionClient, accountId: string): Promise<void> {
  await tx.accountDeletion.updateMany({ where: { accountId, cancelledAt: null }, data: { freezeId: null } });
}

/** Checks that an owner's freeze may end. @throws {ForbiddenError} if the account's deletion was requested */
export async function assertNoDeletion(tx: Prisma.TransactionClient, accountId: string): Promise<void> {
  if (await hasDeletion(tx, accountId)) {
    throw new ForbiddenError(
      "The deletion of the account was requested. The account remains frozen until the account owner cancels the deletion.",
    );
  }
}

/**
 * Freezes the account again for its deletion, if one was requested, after an administrator's freeze has ended.
 * @returns whether the account is frozen
 */
export async function renewDeletionFreeze(tx: Prisma.TransactionClient, account: Account): Promise<boolean> {
  const { id: accountId } = account;
  if (!(await hasDeletion(tx, accountId))) return false;
  const freezeId = await startFreeze(tx, account, "owner", REASON);
  await tx.accountDeletion.updateMany({ where: { accountId, cancelledAt: null }, data: { freezeId } });
  return true;
}

const hasDeletion = async (tx: Prisma.TransactionClient, accountId: string): Promise<boolean> =>
  (await tx.accountDeletion.count({ where: { accountId, cancelledAt: null } })) > 0;
