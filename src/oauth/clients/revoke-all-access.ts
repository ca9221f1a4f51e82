import type { Prisma } from "../../../generated/prisma/client.ts";

/**
 * Ends everything an application was given, inside the caller's transaction and after its status changed: grants with
 * their budgets, so that nothing more is reserved, tokens, codes, and requests that still wait for a person.
 */
export async function revokeAllAccess(tx: Prisma.TransactionClient, clientId: string): Promise<void> {
  const now = new Date();
  await tx.oAuthGrant.updateMany({ where: { clientId, revokedAt: null }, data: { revokedAt: now, slot: null } });
  await tx.$executeRaw`UPDATE budgets SET closed_at = least(closed_at, ${now})
    WHERE id IN (SELECT id FROM oauth_grants WHERE client_id = ${clientId})`;
  await tx.oAuthToken.updateMany({ where: { clientId, revokedAt: null }, data: { revokedAt: now } });
  await tx.oAuthCode.deleteMany({ where: { clientId } });
  await tx.oAuthRequest.deleteMany({ where: { clientId } });
}
