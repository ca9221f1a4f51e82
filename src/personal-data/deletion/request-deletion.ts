/** Requests and cancels the deletion of the viewer's account. */
import type { AccountDeletion } from "../../../generated/prisma/client.ts";
import { withAccountLock } from "../../accounts/account-lock.ts";
import { endDeletionFreeze, freezeForDeletion } from "../../accounts/freeze/deletion-freeze.ts";
import { freezeChannel } from "../../accounts/freeze/freeze-account.ts";
import { freezeError, isServiceFrozen } from "../../accounts/freeze/freeze-state.ts";
import { requireRecentProof, requireSession } from "../../accounts/recent-proof.ts";
import type { Viewer } from "../../accounts/viewer.ts";
import { InvalidRequestError, NotFoundError, ServiceError } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import type { PersonalDataDeps } from "../deps.ts";
import { type AcknowledgedBalance, findUnacknowledged, readWalletBalances, type WalletBalance } from "./balances.ts";

const DAY_MS = 86_400_000;
const MAX_BALANCES = 100;

/** The wallet has balances that the request does not give up. */
export class BalancesRemainError extends ServiceError {
  readonly code = "balances_remain";
  readonly balances: readonly WalletBalance[];
  constructor(balances: readonly WalletBalance[]) {
    super(
      "The wallet has balances. The deletion was not requested. Send them to another wallet, or give them up by naming the current amounts.",
    );
    this.balances = balances;
  }
}

/** The account's deletion was requested before. */
export class DeletionRequestedError extends ServiceError {
  readonly code = "deletion_requested";
  constructor() {
    super("The deletion of the account was requested before. Nothing was changed. To change it, cancel it first.");
  }
}

type RequestDeps = Pick<
  PersonalDataDeps,
  "db" | "pubsub" | "wallets" | "chains" | "personalData" | "site" | "queueEmail" | "logger"
>;

/**
 * Schedules the deletion of the account, and freezes it: payments, orders, withdrawals and outgoing email stop.
 * @param input.acknowledged the balances that the account owner gives up
 * @throws {BalancesRemainError} a balance exceeds the acknowledged amount
 * @throws {DeletionRequestedError | ChainUnavailableError | InvalidRequestError}
 * @throws {AccountFrozenError | ServiceFrozenError} an administrator froze the account or the service
 * @throws {UnauthorizedError | ForbiddenError | ReauthenticationRequiredError}
 */
export async function requestDeletion(
  deps: RequestDeps,
  viewer: Viewer | null,
  input: { readonly acknowledged: readonly AcknowledgedBalance[] },
): Promise<AccountDeletion> {
  const { accountId } = requireRecentProof(viewer);
  const { db, personalData } = deps;
  if (input.acknowledged.length > MAX_BALANCES) {
    throw new InvalidRequestError(
      `acknowledgedBalances must have at most ${MAX_BALANCES} entries.`,
      "acknowledgedBalances",
    );
  }
  if (await isServiceFrozen(db)) throw freezeError("service");
  const unacknowledged = findUnacknowledged(await readWalletBalances(deps, accountId), input.acknowledged);
  if (unacknowledged.length > 0) throw new BalancesRemainError(unacknowledged);
  const id = newId("del");
  const dueAt = new Date(Date.now() + personalData.deletionDelayDays * DAY_MS);
  const acknowledged = input.acknowledged.map(({ network, asset, amountAtomic }) => ({ network, asset, amountAtomic }));
  const data = { id, accountId, status: "scheduled", step: "close", acknowledged, dueAt, nextAttemptAt: dueAt };
  const frozen = await withAccountLock(db, accountId, async (tx) => {
    const freezeId = await freezeForDeletion(tx, accountId);
    // The unique index decides between concurrent requests.
    const { count } = await tx.accountDeletion.createMany({ data: [{ ...data, freezeId }], skipDuplicates: true });
    if (count === 0) throw new DeletionRequestedError();
    return freezeId;
  });
  if (frozen !== null) deps.pubsub.publish(freezeChannel(accountId), frozen);
  await notifyDeletion(deps, accountId, "requested", dueAt);
  return await db.prisma.accountDeletion.findUniqueOrThrow({ where: { id } });
}

/**
 * Cancels the deletion before its execution starts, and ends the freeze that its request started.
 * @throws {NotFoundError} no deletion is scheduled, or its execution has started
 * @throws {UnauthorizedError | ForbiddenError}
 */
export async function cancelDeletion(
  deps: Pick<PersonalDataDeps, "db" | "pubsub" | "site" | "queueEmail" | "logger">,
  viewer: Viewer | null,
): Promise<AccountDeletion> {
  const { accountId } = requireSession(viewer);
  const { cancelled, unfrozen } = await withAccountLock(deps.db, accountId, async (tx) => {
    const now = new Date();
    const [changed] = await tx.accountDeletion.updateManyAndReturn({
      where: { accountId, status: "scheduled" },
      data: { status: "cancelled", cancelledAt: now, updatedAt: now, nextAttemptAt: null, waitingFor: null },
    });
    if (!changed) throw new NotFoundError("No deletion of the account is scheduled. Nothing was changed.");
    return { cancelled: changed, unfrozen: await endDeletionFreeze(tx, changed) };
  });
  if (unfrozen !== null) deps.pubsub.publish(freezeChannel(accountId), unfrozen);
  await notifyDeletion(deps, accountId, "cancelled", null);
  return cancelled;
}

const SUBJECTS = {
  requested: "The deletion of your Satchel account was requested",
  cancelled: "The deletion of your Satchel account was cancelled",
  waiting: "The deletion of your Satchel account is waiting for you",
} as const;

/** Queues an email to the account owner. A failure is logged and does not affect the deletion. */
export async function notifyDeletion(
  { db, site, queueEmail, logger }: Pick<PersonalDataDeps, "db" | "site" | "queueEmail" | "logger">,
  accountId: string,
  event: keyof typeof SUBJECTS,
  dueAt: Date | null,
): Promise<void> {
  const account = await db.prisma.account.findUnique({ where: { id: accountId }, select: { email: true } });
  if (!account || account.email === null) return;
  const page = `${site.browserUrl()}/dashboard/your-data`;
  const texts = {
    requested: `Your Satchel account will be deleted after ${dueAt?.toISOString().slice(0, 16).replace("T", " ")} UTC. Until then everything in it is stopped: payments, orders, withdrawals and outgoing email. You can sign in and cancel the deletion: ${page}`,
    cancelled: `Your Satchel account remains. If you did not cancel the deletion, check your sessions: ${site.browserUrl()}/dashboard/security`,
    waiting: `Your wallet has received funds since you requested the deletion of your Satchel account. The deletion waits. Cancel it, send the funds to another wallet, and request it again: ${page}`,
  };
  try {
    await queueEmail({ to: account.email, subject: SUBJECTS[event], text: `${texts[event]}\n` });
  } catch (error) {
    logger.error({ err: error }, "Email about the deletion of an account was not queued");
  }
}
