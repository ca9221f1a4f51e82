import type { OAuthClient, Prisma } from "../../../generated/prisma/client.ts";
import { newId } from "../../platform/ids.ts";
import type { Transition } from "./status.ts";

/** Long enough for many who decide at once to take their turns. */
export const PATIENTLY = { maxWait: 10_000, timeout: 20_000 };

export interface Move {
  readonly transition: Transition;
  readonly reason: string | null;
  readonly reviewerId: string | null;
  /** What changes together with the status. */
  readonly changes?: Prisma.OAuthClientUpdateManyMutationInput;
}

/** Now, and after `time` in any case: no two states of an application bear the same stamp. */
export function later(time: Date): Date {
  return new Date(Math.max(Date.now(), time.getTime() + 1));
}

/**
 * Moves an application along the table, inside the caller's transaction: one conditional update, and a row that
 * remembers it. Whoever comes second finds nothing to move.
 * @returns whether it moved: not when it is not as it was read any more.
 */
export async function transitionClient(
  tx: Prisma.TransactionClient,
  { id, accountId, updatedAt }: OAuthClient,
  { transition: { from, to }, reason, reviewerId, changes = {} }: Move,
): Promise<boolean> {
  const now = later(updatedAt);
  const { count } = await tx.oAuthClient.updateMany({
    where: { id, accountId, status: from, updatedAt },
    data: { ...changes, status: to, statusReason: reason, statusChangedAt: now, updatedAt: now },
  });
  if (count === 0) return false;
  await tx.oAuthClientReview.create({
    data: { id: newId("clr"), clientId: id, fromStatus: from, toStatus: to, reason, reviewerId, createdAt: now },
  });
  if (to === "revoked") await revokeAllAccess(tx, id);
  return true;
}

/**
 * Ends everything an application was given, inside the caller's transaction and after its status changed: requests that
 * wait for a person, grants with their budgets, so that nothing more is reserved, tokens and codes.
 *
 * Requests go first: a decision about one holds it while it makes a grant, so that the grant is found here. Tokens and
 * codes that are in use at this moment are passed over, for whoever uses them waits for the grant: what comes of it
 * belongs to a revoked grant and opens nothing.
 */
async function revokeAllAccess(tx: Prisma.TransactionClient, clientId: string): Promise<void> {
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
