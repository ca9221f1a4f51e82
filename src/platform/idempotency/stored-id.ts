import type { Database } from "../database/connection.ts";

/** Returns the id of the order or email that a request stored under a key; null if there is none. */
export async function findStoredId({ prisma }: Database, accountId: string, key: string): Promise<string | null> {
  const record = await prisma.idempotencyRecord.findUnique({ where: { accountId_key: { accountId, key } } });
  const { orderId, id } = (record?.answer ?? {}) as { readonly orderId?: unknown; readonly id?: unknown };
  const stored = orderId ?? id;
  return typeof stored === "string" ? stored : null;
}
