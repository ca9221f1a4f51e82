/** Freeze of one account, by its owner or by an administrator, and its end. */
import type { Account, Prisma } from "../../../generated/prisma/client.ts";
import type { Database } from "../../platform/database/connection.ts";
import { ForbiddenError, NotFoundError } from "../../platform/errors.ts";
import type { PubSub } from "../../platform/pubsub/pubsub.ts";
import { lockAccount, withAccountLock } from "../account-lock.ts";
import { optionalReason, requireAdministrator, requireReason } from "../administration/administrator.ts";
import { type AdministrationDeps, performAct } from "../administration/perform-act.ts";
import { ProposalNotPendingError } from "../administration/proposals.ts";
import { recordAct } from "../administration/record-act.ts";
import { ReauthenticationRequiredError, requireRecentProof } from "../recent-proof.ts";
import { notifyOwner, type OwnerEmailDeps } from "../sign-in/owner-emails.ts";
import { requireManager, type Viewer } from "../viewer.ts";
import { assertNoDeletion, detachDeletionFreeze, renewDeletionFreeze } from "./deletion-freeze.ts";
import { endFreeze, startFreeze } from "./freeze-record.ts";
import { awaitEarlierStatements } from "./running-statements.ts";

export interface FreezeDeps extends OwnerEmailDeps {
  readonly db: Database;
  readonly pubsub: PubSub;
}

/** Returns the pub/sub channel for freezes of an account; the payload is the id of the freeze. */
export const freezeChannel = (accountId: string): string => `freeze:${accountId}`;

/**
 * Freezes the viewer's account. Resolves when the statements that began before have ended too. Idempotent: a freeze in force remains. Any credential that may manage the account can do it.
 * @throws {UnauthorizedError | ForbiddenError | InvalidRequestError}
 */
export async function stopEverything(
  deps: FreezeDeps,
  viewer: Viewer | null,
  input: { readonly reason: string | null },
): Promise<Account> {
  const { accountId } = requireManager(viewer);
  const reason = optionalReason(input.reason);
  const changed = await withAccountLock(deps.db, accountId, async (tx) => {
    const account = await tx.account.findUniqueOrThrow({ where: { id: accountId } });
    if (account.frozenAt === null) return await startFreeze(tx, account, "owner", reason);
    await detachDeletionFreeze(tx, accountId);
    return null;
  });
  return await publishChange(deps, accountId, changed, "accountStopped");
}

/**
 * Ends the freeze that the account's owner started. Idempotent.
 * @throws {ReauthenticationRequiredError} unless the session's last sign-in was with a passkey, in the last 10 minutes
 * @throws {ForbiddenError} if an administrator froze the account, it has no passkey, or its deletion was requested
 */
export async function resumeAccount(deps: FreezeDeps, viewer: Viewer | null): Promise<Account> {
  const { accountId, credentialId, authenticatedAtMs } = requireRecentProof(viewer);
  const session = await deps.db.prisma.session.findUniqueOrThrow({ where: { id: credentialId } });
  // The session's last proof may be newer than the one of this request's secret.
  if (session.method !== "passkey" || session.authenticatedAt.getTime() !== authenticatedAtMs) {
    if ((await deps.db.prisma.passkey.count({ where: { accountId } })) === 0) {
      throw new ForbiddenError(
        "This account has no passkey, so it was not resumed. Contact the operator: an administrator can end the freeze.",
      );
    }
    throw new ReauthenticationRequiredError(
      "Resuming the account requires a sign-in with a passkey in the last 10 minutes. The account remains frozen. Sign in with a passkey, then retry.",
    );
  }
  const changed = await withAccountLock(deps.db, accountId, async (tx) => {
    const account = await tx.account.findUniqueOrThrow({ where: { id: accountId } });
    if (account.frozenBy === "administrator") {
      throw new ForbiddenError("An administrator froze this account. It remains frozen. Contact the operator.");
    }
    await assertNoDeletion(tx, accountId);
    return await endFreeze(tx, account);
  });
  return await publishChange(deps, accountId, changed, "accountResumed");
}

export interface AdministratorFreezeInput {
  readonly accountId: string;
  readonly reason: string;
}

/**
 * Freezes an account as an administrator. A freeze by the owner becomes one that only an administrator can end. Idempotent.
 * @throws {UnauthorizedError | ForbiddenError | ReauthenticationRequiredError | NotFoundError | InvalidRequestError}
 */
export async function freezeAccount(
  deps: FreezeDeps,
  viewer: Viewer | null,
  input: AdministratorFreezeInput,
): Promise<Account> {
  const actor = requireAdministrator(viewer);
  const reason = requireReason(input.reason);
  const { accountId } = input;
  const changed = await withAccountLock(deps.db, accountId, async (tx) => {
    const account = await findAccount(tx, accountId);
    if (account.frozenBy === "administrator") return null;
    await endFreeze(tx, account);
    const freezeId = await startFreeze(tx, account, "administrator", reason);
    await recordAct(tx, {
      ...{ actor, action: "accounts.freeze", reason, subjectAccountId: accountId },
      ...{ subjectType: "account", subjectId: accountId },
      before: { frozenBy: account.frozenBy },
      after: { frozenBy: "administrator" },
    });
    return freezeId;
  });
  return await publishChange(deps, accountId, changed, "accountFrozen");
}

/**
 * Ends any freeze of an account as an administrator. Idempotent. An account whose deletion was requested remains frozen by its owner.
 * @throws {UnauthorizedError | ForbiddenError | ReauthenticationRequiredError | NotFoundError | InvalidRequestError}
 * @throws {SecondAdministratorRequiredError} if TWO_PERSON_ACTS names `accounts.unfreeze`
 * @throws {ProposalNotPendingError} also if the proposal is about an earlier freeze
 */
export async function unfreezeAccount(
  deps: FreezeDeps & AdministrationDeps,
  viewer: Viewer | null,
  input: AdministratorFreezeInput & {
    readonly proposalId?: string | null;
    /** With `proposalId`: when the freeze started that the proposal is about. A later one remains. */
    readonly ifFrozenAt?: Date | null;
  },
): Promise<Account> {
  const actor = requireAdministrator(viewer);
  const reason = requireReason(input.reason);
  const { accountId, proposalId = null, ifFrozenAt = null } = input;
  const found = await findAccount(deps.db.prisma, accountId);
  if (found.frozenAt === null && proposalId === null) return found;
  const stored = { accountId, ifFrozenAt: found.frozenAt?.toISOString() ?? null };
  const act = {
    ...{ actor, action: "accounts.unfreeze" as const, reason, proposalId, input: stored },
    ...{ subjectAccountId: accountId, subjectType: "account", subjectId: accountId },
  };
  const changed = await performAct(deps, act, async (tx) => {
    await lockAccount(tx, accountId);
    const account = await findAccount(tx, accountId);
    if (proposalId !== null && account.frozenAt?.getTime() !== ifFrozenAt?.getTime())
      throw new ProposalNotPendingError();
    if (account.frozenBy === "owner") await assertNoDeletion(tx, accountId);
    const result = await endFreeze(tx, account);
    const isFrozen = result !== null && (await renewDeletionFreeze(tx, account));
    return { result, before: { frozenBy: account.frozenBy }, after: { frozenBy: isFrozen ? "owner" : null } };
  });
  return await publishChange(deps, accountId, changed, "accountResumed");
}

async function findAccount(tx: Pick<Prisma.TransactionClient, "account">, id: string): Promise<Account> {
  const account = await tx.account.findUnique({ where: { id } });
  if (!account) throw new NotFoundError("The account does not exist.");
  return account;
}

/** After the commit of a change: publishes it, awaits what began before a freeze, notifies the owner, and returns the account. */
async function publishChange(
  deps: FreezeDeps,
  accountId: string,
  freezeId: string | null,
  email: Parameters<typeof notifyOwner>[2],
): Promise<Account> {
  const account = await deps.db.prisma.account.findUniqueOrThrow({ where: { id: accountId } });
  if (freezeId === null) return account;
  deps.pubsub.publish(freezeChannel(accountId), freezeId);
  if (account.frozenAt !== null) await awaitEarlierStatements(deps.db);
  // After an administrator's freeze, the account of a requested deletion remains frozen.
  if (email !== "accountResumed" || account.frozenAt === null) await notifyOwner(deps, account.email, email);
  return account;
}
