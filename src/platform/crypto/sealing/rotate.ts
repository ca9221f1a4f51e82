/** Rewraps data keys from older key-encryption keys to the current one. Each row's `kek_id` records the progress. */
import type { Database, Statement } from "../../database/connection.ts";
import type { RowIdentity, SealedTable } from "./sealed-table.ts";
import { type KeyEncryptionKeys, rewrapDataKey, UnknownKekError, type WrappedKey } from "./wrapped-key.ts";

type SealedRow = WrappedKey & RowIdentity;

export interface Rotation {
  readonly table: SealedTable["name"];
  /** Rows under another key-encryption key at the start, and the number rewrapped since. */
  readonly total: number;
  readonly moved: number;
}

const BATCH_SIZE = 100;
/** A remote key-encryption key serves concurrent calls. */
const CONCURRENCY = 10;

const countStatement = (table: SealedTable["name"]): Statement => ({
  name: `count-sealed-${table}`,
  text: `SELECT kek_id AS "kekId", count(*)::int AS rows FROM ${table} WHERE kek_id <> $1 GROUP BY kek_id ORDER BY kek_id`,
});

const createStatements = ({ name: table, hasAccounts }: SealedTable) => ({
  next: {
    name: `next-sealed-${table}`,
    text: `SELECT id, ${hasAccounts ? "account_id" : "NULL"} AS "accountId", wrapped_data_key AS "wrappedDataKey",
        kek_id AS "kekId" FROM ${table}
      WHERE kek_id <> $1 AND id > $2 ORDER BY id LIMIT ${BATCH_SIZE}`,
  },
  // If another process rewrapped the row meanwhile, `kek_id` no longer matches and its result remains.
  move: {
    name: `move-sealed-${table}`,
    text: `UPDATE ${table} SET wrapped_data_key = $3, kek_id = $4 WHERE id = $1 AND kek_id = $2`,
  },
});

/** Returns the number of rows under each key-encryption key other than the current one, by key id. */
export async function countRowsUnderOtherKeks(
  db: Database,
  { kek }: KeyEncryptionKeys,
  { name }: SealedTable,
): Promise<ReadonlyMap<string, number>> {
  const counts = await db.query<{ kekId: string; rows: number }>(countStatement(name), [kek.id]);
  return new Map(counts.map(({ kekId, rows }) => [kekId, rows]));
}

/**
 * Rewraps every row of the table in batches. An interrupted rotation continues with the remaining rows. Rows under a key that
 * is not configured are skipped. Nodes configured with both keys can serve requests meanwhile.
 *
 * @param onProgress called after each batch
 * @throws a key-encryption key is unreachable or a row does not open; that row was not changed
 */
export async function rotateTable(
  db: Database,
  keks: KeyEncryptionKeys,
  table: SealedTable,
  onProgress: (rotation: Rotation) => void,
): Promise<Rotation> {
  const { next, move } = createStatements(table);
  const rowsByKek = await countRowsUnderOtherKeks(db, keks, table);
  const total = [...rowsByKek.values()].reduce((sum, rows) => sum + rows, 0);
  let rotation: Rotation = { table: table.name, total, moved: 0 };
  for (let after = ""; ; ) {
    const rows = await db.query<SealedRow>(next, [keks.kek.id, after]);
    for (let start = 0; start < rows.length; start += CONCURRENCY) {
      const chunk = rows.slice(start, start + CONCURRENCY);
      const moved = await Promise.all(chunk.map((row) => rewrapRow(db, keks, move, table, row)));
      rotation = { ...rotation, moved: rotation.moved + moved.filter(Boolean).length };
    }
    const last = rows.at(-1);
    if (last) onProgress(rotation);
    if (!last || rows.length < BATCH_SIZE) return rotation;
    after = last.id;
  }
}

async function rewrapRow(
  db: Database,
  keks: KeyEncryptionKeys,
  move: Statement,
  table: SealedTable,
  row: SealedRow,
): Promise<boolean> {
  try {
    const wrapped = { ...row, wrappedDataKey: Uint8Array.from(row.wrappedDataKey) };
    const { wrappedDataKey, kekId } = await rewrapDataKey(keks, wrapped, table.contextOf(row));
    await db.query(move, [row.id, row.kekId, wrappedDataKey, kekId]);
    return true;
  } catch (error) {
    if (!(error instanceof UnknownKekError)) throw error;
    return false;
  }
}
