import type { AccountRecovery, Prisma } from "../../../generated/prisma/client.ts";
import type { Statement } from "../../platform/database/connection.ts";
import { isUniqueViolation } from "../../platform/database/errors.ts";
import { mayOwnerSignIn } from "../freeze/freeze-state.ts";
import { ENDED_SESSIONS } from "../sessions.ts";
import { notifyOwner } from "../sign-in/owner-emails.ts";
import { revokeSessions } from "./end-sessions.ts";
import { recordAct } from "./record-act.ts";
import { endRecovery, isDeleted, type RecoveryDeps } from "./recovery.ts";

const MAX_BATCH = 100;
/** A recovery whose new address was not confirmed until this time after the waiting period expires. */
const CONFIRMATION_GRACE_MS = 7 * 86_400_000;

/** The owner of a frozen account has the whole waiting period after the freeze to cancel. */
const POSTPONE: Statement = {
  name: "postpone-recoveries-of-frozen-accounts",
  text: `UPDATE account_recoveries r SET effective_at = greatest(r.effective_at, $1::timestamptz + $2::float8 * interval '1 millisecond')
    FROM accounts a WHERE r.ended_at IS NULL AND a.id = r.account_id AND NOT (${mayOwnerSignIn("a")})`,
};
const HOLD = `SELECT a.id FROM accounts a WHERE a.id = $1::uuid AND ${mayOwnerSignIn("a")} FOR NO KEY UPDATE`;

/**
 * Completes the confirmed recoveries whose waiting period has ended: replaces the email address and revokes all sessions in one
 * transaction. Ends the others that have expired. Postpones those of accounts whose owner cannot sign in because of a freeze.
 */
export async function completeDueRecoveries(deps: RecoveryDeps, now = new Date()): Promise<void> {
  const { accountRecovery } = deps.db.prisma;
  await deps.db.query(POSTPONE, [now, deps.administration.recoveryWaitingMs]);
  const due = await accountRecovery.findMany({
    where: { endedAt: null, effectiveAt: { lte: now }, confirmedAt: { not: null } },
    orderBy: { effectiveAt: "asc" },
    take: MAX_BATCH,
  });
  for (const recovery of due) await complete(deps, recovery);
  await accountRecovery.updateMany({
    where: {
      ...{ endedAt: null, confirmedAt: null },
      effectiveAt: { lte: new Date(now.getTime() - CONFIRMATION_GRACE_MS) },
    },
    data: { endedAt: now, outcome: "expired", slot: null },
  });
}

/** The account's address has changed, or another account has the new one. Rolls back the completion. */
class SupersededError extends Error {}

async function complete(deps: RecoveryDeps, recovery: AccountRecovery): Promise<void> {
  const { prisma } = deps.db;
  try {
    const endedSessions = await prisma.$transaction((tx) => replaceAddress(tx, recovery));
    if (endedSessions === null) return;
    for (const id of endedSessions) deps.pubsub.publish(ENDED_SESSIONS, id);
  } catch (error) {
    if (!(error instanceof SupersededError || isUniqueViolation(error))) throw error;
    await prisma.$transaction((tx) => endRecovery(tx, recovery.id, "superseded"));
    deps.logger.warn({ recoveryId: recovery.id }, "Account recovery not completed: the addresses have changed since");
    return;
  }
  await notifyOwner(deps, recovery.oldEmail, "emailRecovered");
  await notifyOwner(deps, recovery.newEmail, "emailRecovered");
}

/** Returns the ids of the revoked sessions; null if the recovery has ended, or the account was frozen, meanwhile. @throws {SupersededError} */
async function replaceAddress(tx: Prisma.TransactionClient, recovery: AccountRecovery): Promise<string[] | null> {
  const { id, accountId, oldEmail, newEmail, startedById } = recovery;
  if ((await tx.$queryRawUnsafe<unknown[]>(HOLD, accountId)).length === 0) return null;
  if (!(await endRecovery(tx, id, "completed"))) return null;
  const { count } = await tx.account.updateMany({
    where: { id: accountId, email: oldEmail },
    data: { email: newEmail },
  });
  if (count === 0 || (await isDeleted(tx, accountId))) throw new SupersededError();
  await recordAct(tx, {
    ...{ actor: { accountId: startedById }, action: "accounts.complete_recovery", reason: recovery.reason },
    ...{ subjectAccountId: accountId, subjectType: "account", subjectId: accountId },
    ...{ before: { email: oldEmail }, after: { email: newEmail, recovery: id } },
  });
  return await revokeSessions(tx, accountId);
}
