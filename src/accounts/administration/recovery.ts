/**
 * Recovery of an account whose owner lost the mailbox: an administrator changes the email address. The change needs the
 * confirmation of the new address, and completes after a waiting period in which the owner can cancel it.
 */
import type { AccountRecovery, Prisma } from "../../../generated/prisma/client.ts";
import type { Statement } from "../../platform/database/connection.ts";
import { isUniqueViolation } from "../../platform/database/errors.ts";
import { InvalidRequestError, NotFoundError, ServiceError } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import { readEmailAddress } from "../email-address.ts";
import { isReviewer } from "../reviewer.ts";
import { hashToken, isWellFormedToken, mintToken } from "../secret-token.ts";
import { limitSignIn } from "../sign-in/limits.ts";
import { requireManager, type Viewer } from "../viewer.ts";
import { type Administrator, optionalReason, refuseOwn, requireAdministrator, requireReason } from "./administrator.ts";
import { type AdministrationDeps, performAct } from "./perform-act.ts";
import { type ActState, recordAct } from "./record-act.ts";
import { type RecoveryEmailDeps, sendConfirmationEmail, sendNoticeEmails } from "./recovery-emails.ts";
import { requireSubject } from "./subject-account.ts";

export const RECOVERY_OUTCOMES = ["completed", "cancelled", "expired", "superseded"] as const;
export type RecoveryOutcome = (typeof RECOVERY_OUTCOMES)[number];

export type RecoveryDeps = AdministrationDeps & RecoveryEmailDeps;

/** The account already has a pending recovery. */
export class RecoveryPendingError extends ServiceError {
  readonly code = "recovery_pending";
  constructor() {
    super("The account already has a pending recovery. Nothing was changed. Cancel that recovery first.");
  }
}

/** The recovery has ended. Nothing was changed. */
export class RecoveryEndedError extends ServiceError {
  readonly code = "recovery_ended";
  constructor() {
    super("The recovery has ended: it was completed, cancelled or has expired. Nothing was changed.");
  }
}

export interface NewRecovery {
  readonly accountId: string;
  /** The new email address. */
  readonly email: string;
  readonly reason: string;
  /** The proposal that this call confirms, if two administrators are required. */
  readonly proposalId?: string | null;
}

/**
 * Starts the recovery of an account. Sends a confirmation link to the new address and notices to both.
 * @throws {ForbiddenError} if the viewer is not an administrator, or the account is their own
 * @throws {ReauthenticationRequiredError | SecondAdministratorRequiredError | RecoveryPendingError}
 * @throws {InvalidRequestError} if the address is invalid or belongs to an account
 * @throws {MailNotConfiguredError | MailFailedError} if the link was not sent; the recovery was not started
 */
export async function startRecovery(
  deps: RecoveryDeps,
  viewer: Viewer | null,
  input: NewRecovery,
): Promise<AccountRecovery> {
  const actor = requireAdministrator(viewer);
  const reason = requireReason(input.reason);
  const newEmail = readEmailAddress(input.email);
  const { accountId, proposalId = null } = input;
  const account = await requireSubject(deps, accountId);
  refuseOwn(actor, accountId, "the recovery");
  if (await isDeleted(deps.db.prisma, accountId)) {
    throw new InvalidRequestError("accountId: this account has been deleted. Nothing was changed.", "accountId");
  }
  if ((await deps.db.prisma.account.count({ where: { email: newEmail } })) > 0) {
    throw new InvalidRequestError("email: an account has this address. Nothing was changed.", "email");
  }
  const token = mintToken("satchel_rc_");
  const act = {
    ...{ actor, action: "accounts.start_recovery" as const, reason, proposalId },
    ...{ subjectAccountId: accountId, subjectType: "account", subjectId: accountId },
    input: { accountId, email: newEmail },
  };
  const recovery = await performAct(deps, act, async (tx) => {
    const effectiveAt = new Date(Date.now() + deps.administration.recoveryWaitingMs);
    const result = await insertRecovery(tx, {
      ...{ id: newId("rcv"), accountId, slot: accountId, oldEmail: account.email, newEmail, reason },
      ...{ startedById: actor.accountId, confirmTokenHash: hashToken(token), effectiveAt },
    });
    const states = { before: { email: account.email }, after: { email: newEmail, ...describe(result) } };
    return { result, ...states };
  });
  try {
    await sendConfirmationEmail(deps, recovery, token);
  } catch (error) {
    // Without the link, the recovery could never be confirmed.
    await cancelAs(deps, actor, recovery, "The confirmation email was not sent.");
    throw error;
  }
  await sendNoticeEmails(deps, recovery, "recoveryStarted");
  return recovery;
}

/** Returns whether the execution of the account's deletion has begun, after which the account has no address. */
export async function isDeleted(
  { accountDeletion }: Pick<Prisma.TransactionClient, "accountDeletion">,
  accountId: string,
): Promise<boolean> {
  return (await accountDeletion.count({ where: { accountId, startedAt: { not: null } } })) > 0;
}

async function insertRecovery(
  tx: Prisma.TransactionClient,
  data: Prisma.AccountRecoveryUncheckedCreateInput,
): Promise<AccountRecovery> {
  try {
    return await tx.accountRecovery.create({ data });
  } catch (error) {
    if (isUniqueViolation(error)) throw new RecoveryPendingError();
    throw error;
  }
}

const describe = ({ id, effectiveAt }: AccountRecovery): ActState => ({
  recovery: id,
  effectiveAt: effectiveAt.toISOString(),
});

/**
 * Sends another confirmation link to the new address of a pending recovery. The previous link becomes invalid.
 * @throws {ForbiddenError | ReauthenticationRequiredError | InvalidRequestError}
 * @throws {NotFoundError | RecoveryEndedError}
 * @throws {MailNotConfiguredError | MailFailedError} if the link was not sent
 */
export async function resendRecovery(
  deps: RecoveryDeps,
  viewer: Viewer | null,
  input: { readonly recoveryId: string; readonly reason: string },
): Promise<AccountRecovery> {
  const actor = requireAdministrator(viewer);
  const reason = requireReason(input.reason);
  const { recoveryId: id } = input;
  const token = mintToken("satchel_rc_");
  const recovery = await deps.db.prisma.$transaction(async (tx) => {
    if ((await tx.accountRecovery.count({ where: { id } })) === 0) {
      throw new NotFoundError("There is no such recovery.");
    }
    const [changed] = await tx.accountRecovery.updateManyAndReturn({
      where: { id, endedAt: null },
      data: { confirmTokenHash: hashToken(token) },
    });
    if (!changed) throw new RecoveryEndedError();
    const { accountId } = changed;
    await recordAct(tx, {
      ...{ actor, action: "accounts.resend_recovery", reason, subjectAccountId: accountId },
      ...{ subjectType: "account", subjectId: accountId, after: describe(changed) },
    });
    return changed;
  });
  await sendConfirmationEmail(deps, recovery, token);
  return recovery;
}

const CONFIRM: Statement = {
  name: "confirm-recovery",
  text: `UPDATE account_recoveries SET confirmed_at = coalesce(confirmed_at, now())
    WHERE confirm_token_hash = $1 AND ended_at IS NULL RETURNING id`,
};

/**
 * Confirms the new address with the token from its email. Idempotent. The caller needs no credential.
 * @throws {NotFoundError} for an unknown token @throws {RecoveryEndedError | RateLimitedError}
 */
export async function confirmRecovery(
  deps: RecoveryDeps & Parameters<typeof limitSignIn>[0],
  input: { readonly token: string; readonly ip: string | null },
): Promise<AccountRecovery> {
  await limitSignIn(deps, "email_guess", input.ip);
  if (!isWellFormedToken(input.token, "satchel_rc_")) throw new NotFoundError("There is no such recovery.");
  const confirmTokenHash = hashToken(input.token);
  const confirmed = await deps.db.query(CONFIRM, [confirmTokenHash]);
  const recovery = await deps.db.prisma.accountRecovery.findUnique({ where: { confirmTokenHash } });
  if (!recovery) throw new NotFoundError("There is no such recovery.");
  if (confirmed.length === 0) throw new RecoveryEndedError();
  return recovery;
}

/**
 * Cancels a pending recovery: the account's owner, or an administrator with a reason. A concurrent completion and
 * cancellation exclude each other.
 * @throws {UnauthorizedError | ForbiddenError | ReauthenticationRequiredError | InvalidRequestError}
 * @throws {NotFoundError} if the caller sees no such recovery
 * @throws {RecoveryEndedError}
 */
export async function cancelRecovery(
  deps: RecoveryDeps,
  viewer: Viewer | null,
  input: { readonly recoveryId: string; readonly reason?: string | null | undefined },
): Promise<AccountRecovery> {
  const { recoveryId: id } = input;
  const found = await deps.db.prisma.accountRecovery.findUnique({ where: { id } });
  const isOwner = viewer?.kind === "account" && viewer.accountId === found?.accountId;
  if (!isOwner && !isReviewer(viewer)) {
    requireManager(viewer);
    throw new NotFoundError("There is no such recovery.");
  }
  const actor = isOwner ? null : requireAdministrator(viewer);
  if (isOwner) requireManager(viewer);
  const reason = actor ? requireReason(input.reason) : optionalReason(input.reason);
  if (!found) throw new NotFoundError("There is no such recovery.");
  const cancelled = await cancelAs(deps, actor, found, reason);
  await sendNoticeEmails(deps, cancelled, "recoveryCancelled");
  return cancelled;
}

/** @param actor the administrator, whose act is recorded; null for the account's owner @throws {RecoveryEndedError} */
async function cancelAs(
  { db }: AdministrationDeps,
  actor: Administrator | null,
  recovery: AccountRecovery,
  reason: string | null,
): Promise<AccountRecovery> {
  const { id, accountId } = recovery;
  return await db.prisma.$transaction(async (tx) => {
    const ended = await endRecovery(tx, id, "cancelled");
    if (!ended) throw new RecoveryEndedError();
    if (actor) {
      await recordAct(tx, {
        ...{ actor, action: "accounts.cancel_recovery", reason, subjectAccountId: accountId },
        ...{ subjectType: "account", subjectId: accountId },
        ...{ before: describe(recovery), after: { ...describe(recovery), outcome: "cancelled" } },
      });
    }
    return ended;
  });
}

/** Ends a pending recovery. Returns null if it has ended before. */
export async function endRecovery(
  tx: Prisma.TransactionClient,
  id: string,
  outcome: RecoveryOutcome,
): Promise<AccountRecovery | null> {
  const [ended] = await tx.accountRecovery.updateManyAndReturn({
    where: { id, endedAt: null },
    data: { endedAt: new Date(), outcome, slot: null },
  });
  return ended ?? null;
}
