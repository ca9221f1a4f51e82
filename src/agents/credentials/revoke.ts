import type { Prisma } from "../../../generated/prisma/client.ts";

/**
 * Revokes all credentials of an agent permanently. Call it in the transaction that changes the status from `active`, after
 * updating the agent's row: its lock prevents a concurrent issue.
 */
export async function revokeCredentials(tx: Prisma.TransactionClient, agentRecordId: string): Promise<void> {
  const where = { agentId: agentRecordId, revokedAt: null };
  await tx.agentCredential.updateMany({ where, data: { revokedAt: new Date() } });
}
