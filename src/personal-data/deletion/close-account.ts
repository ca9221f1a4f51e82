/**
 * First step of a deletion's execution. One transaction ends everything that can act for the account or sign in to it, and erases
 * the keys of its wallet. So no time passes in which the wallet receives funds and its owner can no longer sign in.
 */
import type { Prisma } from "../../../generated/prisma/client.ts";
import { ENDED_SESSIONS } from "../../accounts/sessions.ts";
import { revokeCredentials } from "../../agents/credentials/revoke.ts";
import { parseStatus } from "../../oauth/clients/status.ts";
import { LOCK_TIMEOUTS, transitionClient } from "../../oauth/clients/transition-client.ts";
import { retryDeadlocks } from "../../platform/database/retry-deadlocks.ts";
import { hashCreditAddress, recordFreeCreditClaim } from "../../wallet/free-credit-claims.ts";
import type { PersonalDataDeps } from "../deps.ts";

/** An email to the account owner is being sent. The account was not closed. */
export class EmailInProgressError extends Error {
  override readonly name = "EmailInProgressError";
}

const REASON = "The account that registered the application was deleted.";

/**
 * Closes the account of a scheduled deletion and frees its email address.
 * @throws {EmailInProgressError}
 * @returns false, without a change, if the deletion was cancelled, an administrator has frozen the account, or another node has closed it
 */
export async function closeAccount(
  { db, pubsub }: Pick<PersonalDataDeps, "db" | "pubsub">,
  { id, accountId }: { readonly id: string; readonly accountId: string },
): Promise<boolean> {
  const close = () =>
    db.prisma.$transaction(async (tx) => {
      const now = new Date();
      // Reservations lock the account before its counters.
      const [account] = await tx.$queryRaw<{ frozenBy: string | null }[]>`
        SELECT frozen_by AS "frozenBy" FROM accounts WHERE id = ${accountId}::uuid FOR NO KEY UPDATE`;
      if (account?.frozenBy === "administrator") return null;
      const { count } = await tx.accountDeletion.updateMany({
        where: { id, status: "scheduled" },
        data: { status: "running", step: "erase", startedAt: now, updatedAt: now, waitingFor: null },
      });
      if (count === 0) return null;
      await tx.wallet.updateMany({ where: { accountId }, data: { sealedKeys: new Uint8Array() } });
      await endCredentials(tx, accountId);
      await endApplications(tx, accountId);
      await endAgent(tx, accountId, now);
      await endCheckout(tx, accountId, now);
      return await endSignIn(tx, accountId, now);
    }, LOCK_TIMEOUTS);
  const sessions = await retryDeadlocks(close);
  for (const session of sessions ?? []) pubsub.publish(ENDED_SESSIONS, session.id);
  return sessions !== null;
}

async function endCredentials(tx: Prisma.TransactionClient, accountId: string): Promise<void> {
  await tx.$executeRaw`UPDATE budgets SET closed_at = least(closed_at, now()) WHERE account_id = ${accountId}::uuid`;
  await tx.$executeRaw`UPDATE api_tokens SET revoked_at = now() WHERE account_id = ${accountId}::uuid AND revoked_at IS NULL`;
  await tx.$executeRaw`UPDATE purchase_tokens SET revoked_at = now() WHERE account_id = ${accountId}::uuid AND revoked_at IS NULL`;
  // Look-ups of tokens and codes also check their grant.
  await tx.$executeRaw`UPDATE oauth_grants SET revoked_at = coalesce(revoked_at, now()), slot = NULL WHERE account_id = ${accountId}::uuid`;
  await tx.$executeRaw`UPDATE webhook_endpoints SET disabled_at = coalesce(disabled_at, now()) WHERE account_id = ${accountId}::uuid`;
}

/** The account's applications are revoked, with the permissions that other accounts gave them. Their contacts are not notified. */
async function endApplications(tx: Prisma.TransactionClient, accountId: string): Promise<void> {
  for (const client of await tx.oAuthClient.findMany({ where: { accountId, status: { not: "revoked" } } })) {
    const transition = { from: parseStatus(client.status), to: "revoked", by: "owner", reason: "none" } as const;
    const isChanged = await transitionClient(tx, client, { transition, reason: REASON, reviewerId: null });
    // Another transaction changed the application: the step is repeated with its new version.
    if (!isChanged) throw new Error(`The application ${client.id} was changed meanwhile.`);
    await tx.oAuthClientReview.updateMany({
      where: { clientId: client.id, notifiedAt: null },
      data: { notifiedAt: new Date() },
    });
  }
}

async function endAgent(tx: Prisma.TransactionClient, accountId: string, now: Date): Promise<void> {
  const [agent] = await tx.agent.updateManyAndReturn({
    where: { accountId },
    data: {
      ...{ status: "revoked", revokedAt: now, nextCheckAt: null, credentialsDueAt: null, updatedAt: now },
      // Ends the claim of a node that concludes its steps.
      checkAttempts: { increment: 1 },
    },
    select: { id: true },
  });
  if (agent) await revokeCredentials(tx, agent.id);
  // The job removes the wallet from the registry, and follows a signed registration, whose nonce blocks later ones.
  await tx.agent.updateMany({
    where: { accountId, OR: [{ agentId: { not: null } }, { transactions: { some: { status: "signed" } } }] },
    data: { nextCheckAt: now },
  });
  await tx.mailMessage.updateMany({
    where: { accountId, status: "queued" },
    data: { status: "failed", nextAttemptAt: null, failureReason: "The account was deleted.", updatedAt: now },
  });
}

/** Orders end without a further step: approvals expire, and a checkout without a card fails before it submits. */
async function endCheckout(tx: Prisma.TransactionClient, accountId: string, now: Date): Promise<void> {
  await tx.checkoutPolicy.updateMany({ where: { accountId, revokedAt: null }, data: { revokedAt: now } });
  await tx.checkoutPolicy.updateMany({ where: { accountId }, data: { activeSlot: null } });
  await tx.paymentCard.updateMany({ where: { accountId }, data: { status: "disabled", defaultSlot: null } });
}

/** Ends all sessions and erases every method of sign-in. Returns the sessions. */
async function endSignIn(
  tx: Prisma.TransactionClient,
  accountId: string,
  now: Date,
): Promise<readonly { readonly id: string }[]> {
  const { email } = await tx.account.findUniqueOrThrow({ where: { id: accountId }, select: { email: true } });
  if (email !== null) {
    if ((await tx.credit.count({ where: { accountId, grantedAt: { not: null } } })) > 0) {
      // Credit of earlier releases was granted without a record.
      await recordFreeCreditClaim(tx, await hashCreditAddress(email));
    }
    await tx.signInAttempt.deleteMany({ where: { email } });
    await tx.oAuthRequest.deleteMany({ where: { loginHint: email } });
    // Emails of the service to the account owner, in the job queue.
    await tx.$executeRaw`DELETE FROM jobs.job WHERE name = 'letters' AND data->>'to' = ${email} AND state <> 'active'`;
    const active = await tx.$queryRaw<unknown[]>`SELECT id FROM jobs.job
      WHERE name = 'letters' AND data->>'to' = ${email} LIMIT 1`;
    if (active.length > 0) throw new EmailInProgressError();
  }
  // A pending recovery would give the account an address again.
  await tx.accountRecovery.deleteMany({ where: { accountId } });
  await tx.passkey.deleteMany({ where: { accountId } });
  await tx.upstreamIdentity.deleteMany({ where: { accountId } });
  await tx.signInAttempt.deleteMany({ where: { accountId } });
  await tx.account.update({
    where: { id: accountId },
    data: {
      ...{ email: null, displayName: null, x402EnabledAt: null },
      ...{ wantsAgent: false, publishesMailbox: false, publishesWallet: false },
    },
  });
  return await tx.session.updateManyAndReturn({
    where: { accountId, revokedAt: null },
    data: { revokedAt: now, previousTokenHash: null },
    select: { id: true },
  });
}
