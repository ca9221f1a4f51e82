import type { Database, Statement } from "../platform/database/connection.ts";

const CREDIT: Statement = {
  name: "credit",
  text: "SELECT available_micro_usd FROM credits WHERE account_id = $1::uuid",
};

/** Free credit left, in micro-USD. */
export async function creditOf({ db }: { readonly db: Database }, accountId: string): Promise<bigint> {
  const [row] = await db.query<{ available_micro_usd: bigint }>(CREDIT, [accountId]);
  if (!row) throw new Error(`The account ${accountId} has no credit row.`);
  return row.available_micro_usd;
}
