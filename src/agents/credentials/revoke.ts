import type { Prisma } from "../../../generated/prisma/client.ts";

/**
 * Revokes every credential of an agent, for ever. Call it in the transaction that takes the agent out of `active`, after
 * its row was moved: none can be issued in between.
 */
export async function revokeCredentials(tx: Prisma.TransactionClient, agentRecordId: string): Promise<void> {
  const where = { agentId: agentRecordId, revokedAt: null };
  await tx.agentCredential.updateMany({ where, data: { revokedAt: new Date() } });
}
