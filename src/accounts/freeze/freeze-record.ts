/** Start and end of an account's freeze in the database. The caller locks the account. */
import type { Account, Prisma } from "../../../generated/prisma/client.ts";
import { newId } from "../../platform/ids.ts";
import type { FrozenBy } from "./freeze-state.ts";

export type AccountFreezer = Exclude<FrozenBy, "service">;

/** Returns the id of the new freeze. */
export async function startFreeze(
  tx: Prisma.TransactionClient,
  { id: accountId }: Account,
  frozenBy: AccountFreezer,
  reason: string | null,
): Promise<string> {
  const now = new Date();
  const id = newId("frz");
  await tx.account.update({
    where: { id: accountId },
    data: { frozenAt: now, frozenBy, freezeReason: reason },
    select: { id: true },
  });
  await tx.accountFreeze.create({ data: { id, accountId, frozenBy, reason, frozenAt: now, updatedAt: now } });
  return id;
}

/** Returns the id of the freeze that ended; null if the account is not frozen. */
export async function endFreeze(
  tx: Prisma.TransactionClient,
  { id: accountId, frozenAt }: Account,
): Promise<string | null> {
  if (frozenAt === null) return null;
  const now = new Date();
  await tx.account.update({
    where: { id: accountId },
    data: { frozenAt: null, frozenBy: null, freezeReason: null },
    select: { id: true },
  });
  const [ended] = await tx.accountFreeze.updateManyAndReturn({
    where: { accountId, unfrozenAt: null },
    data: { unfrozenAt: now, updatedAt: now },
    select: { id: true },
  });
  return ended?.id ?? null;
}
