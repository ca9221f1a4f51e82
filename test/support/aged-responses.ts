import type { Database } from "../../src/platform/database/connection.ts";

/** Sets the age of all stored responses. */
export async function ageStoredResponses(db: Database, hours = 25): Promise<void> {
  const at = new Date(Date.now() - hours * 3_600_000);
  await db.prisma.idempotencyRecord.updateMany({ data: { createdAt: at, leasedUntil: at } });
}
