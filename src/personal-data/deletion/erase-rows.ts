/** Erases an account's rows as the plan says, in batches. Each batch can be repeated after a crash. */
import type { Database } from "../../platform/database/connection.ts";
import type { Deletion, TablePlan } from "../table-plan.ts";
import { type Column, countRows, keyOf, quote, readPages } from "../table-rows.ts";

/** Chunks of files have up to 512 KiB, which a deletion does not read. */
const BATCH_ROWS = 500;

/** Deletes or pseudonymises the account's rows in a table. */
export async function eraseRows(
  db: Database,
  plan: TablePlan,
  columns: readonly Column[],
  accountId: string,
): Promise<void> {
  const { deletion } = plan;
  if (deletion.action === "delete") await deleteRows(db, plan, accountId);
  else if (deletion.action === "pseudonymise") await pseudonymiseRows(db, plan, deletion, columns, accountId);
}

/** Returns the first table that has rows to delete; null if there are none. */
export async function findRemaining(db: Database, plans: readonly TablePlan[], accountId: string) {
  for (const plan of plans) {
    if (plan.deletion.action === "delete" && (await countRows(db, plan, accountId)) > 0) return plan.table;
  }
  return null;
}

async function deleteRows(db: Database, { table, owner }: TablePlan, accountId: string): Promise<void> {
  const text = `WITH deleted AS (
      DELETE FROM ${table} WHERE ctid = ANY (ARRAY (SELECT t.ctid FROM ${table} t WHERE ${owner} LIMIT ${BATCH_ROWS})) RETURNING 1
    ) SELECT count(*)::int AS rows FROM deleted`;
  for (;;) {
    const [batch] = (await db.executeSql(text, [accountId])).rows as { rows: number }[];
    // Another transaction may have changed a row of the batch, so fewer rows than the limit do not mean the last batch.
    if ((batch?.rows ?? 0) === 0) return;
  }
}

async function pseudonymiseRows(
  db: Database,
  plan: TablePlan,
  { changes }: Extract<Deletion, { action: "pseudonymise" }>,
  columns: readonly Column[],
  accountId: string,
): Promise<void> {
  const entries = Object.entries(changes);
  const key = keyOf(columns);
  const set = entries.map(([name, value]) => `${quote(name)} = ${value}`).join(", ");
  const differs = entries.map(([name, value]) => `t.${quote(name)} IS DISTINCT FROM ${value}`).join(" OR ");
  const joined = key.map(({ name, type }, index) => `t.${quote(name)} = page.k${index + 1}::${type}`).join(" AND ");
  const names = key.map((_, index) => `k${index + 1}`).join(", ");
  const unnested = key.map((_, index) => `$${index + 2}::text[]`).join(", ");
  const text = `UPDATE ${plan.table} t SET ${set} FROM unnest(${unnested}) AS page (${names})
    WHERE ${joined} AND (${plan.owner}) AND (${differs})`;
  for await (const { keys } of readPages(db, { ...plan, exported: [] }, columns, accountId)) {
    await db.executeSql(text, [accountId, ...key.map((_, index) => keys.map((row) => row[index]))]);
  }
}
