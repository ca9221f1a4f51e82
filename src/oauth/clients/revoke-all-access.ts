import type { Prisma } from "../../../generated/prisma/client.ts";

/**
 * Ends everything an application was given, inside the caller's transaction and after its status changed: requests that
 * wait for a person, grants with their budgets, so that nothing more is reserved, tokens and codes.
 *
 * Requests go first: a decision about one holds it while it makes a grant, so that the grant is found here. Tokens and
 * codes that are in use at this moment are passed over, for whoever uses them waits for the grant: what comes of it
 * belongs to a revoked grant and opens nothing.
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
