import type { OAuthClient, Prisma } from "../../../generated/prisma/client.ts";
import { newId } from "../../platform/ids.ts";
import type { Transition } from "./status.ts";

/** Transaction timeouts that allow many concurrent decisions to wait for each other's locks. */
export const LOCK_TIMEOUTS = { maxWait: 10_000, timeout: 20_000 };

export interface TransitionInput {
  readonly transition: Transition;
  readonly reason: string | null;
  readonly reviewerId: string | null;
  /** Columns that change together with the status. */
  readonly changes?: Prisma.OAuthClientUpdateManyMutationInput;
}

/** Returns the current time, or 1 ms after `time` if later. Every version of an application has its own `updatedAt`. */
export function nextTimestamp(time: Date): Date {
  return new Date(Math.max(Date.now(), time.getTime() + 1));
}

/**
 * Transitions an application in the caller's transaction: one conditional update and one history row.
 * @returns false, without a change, if another transaction changed the application since it was read
 */
export async function transitionClient(
  tx: Prisma.TransactionClient,
  { id, accountId, updatedAt }: OAuthClient,
  { transition: { from, to }, reason, reviewerId, changes = {} }: TransitionInput,
): Promise<boolean> {
  const now = nextTimestamp(updatedAt);
  const { count } = await tx.oAuthClient.updateMany({
    where: { id, accountId, status: from, updatedAt },
    data: {
      ...{ ...changes, status: to, statusReason: reason, statusChangedAt: now, updatedAt: now },
      // Its next review is awaited, also if it registered itself.
      ...(to === "approved" ? { isListedForReview: true } : {}),
    },
  });
  if (count === 0) return false;
  await tx.oAuthClientReview.create({
    data: { id: newId("clr"), clientId: id, fromStatus: from, toStatus: to, reason, reviewerId, createdAt: now },
  });
  // An application that registered itself has access before its review.
  if (to === "revoked" || to === "rejected") await revokeAllAccess(tx, id);
  return true;
}

/**
 * Revokes all access of an application, in the caller's transaction and after its status changed: pending requests,
 * grants, tokens and codes. Closes the grants' budgets, so no further payment is reserved.
 *
 * Requests are deleted first: a decision locks its request while it inserts a grant, so the grant is visible
 * afterwards. Locked tokens and codes are skipped, because their transactions may wait for the grant. Tokens they issue
 * belong to a revoked grant and are not accepted.
 */
export async function revokeAllAccess(tx: Prisma.TransactionClient, clientId: string): Promise<void> {
  const now = new Date();
  await tx.oAuthRequest.deleteMany({ where: { clientId } });
  await tx.oAuthGrant.updateMany({ where: { clientId, revokedAt: null }, data: { revokedAt: now, slot: null } });
  await tx.$executeRaw`UPDATE budgets SET closed_at = least(closed_at, now())
    WHERE id IN (SELECT id FROM oauth_grants WHERE client_id = ${clientId})`;
  await tx.$executeRaw`UPDATE oauth_tokens SET revoked_at = now() WHERE id IN (
    SELECT id FROM oauth_tokens WHERE grant_id IN (SELECT id FROM oauth_grants WHERE client_id = ${clientId})
      AND revoked_at IS NULL FOR UPDATE SKIP LOCKED)`;
  await tx.$executeRaw`DELETE FROM oauth_codes WHERE code_hash IN (
    SELECT code_hash FROM oauth_codes WHERE client_id = ${clientId} FOR UPDATE SKIP LOCKED)`;
}
