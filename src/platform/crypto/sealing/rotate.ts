/** Moves wrapped data keys from older key-encryption keys to the current one. Where it stands is in the rows themselves. */
import type { Database, Statement } from "../../database/connection.ts";
import { type KeyEncryptionKeys, rewrapDataKey, UnknownKekError, type WrappedKey } from "./wrapped-key.ts";

/** A table with the columns `id`, `wrapped_data_key` and `kek_id`. */
export interface SealedTable {
  readonly name: "wallets" | "signing_keys" | "agents" | "webhook_endpoints" | "payment_cards" | "checkout_orders";
  /** What the data key of a row was wrapped with. */
  contextOf(id: string): string;
}

interface SealedRow extends WrappedKey {
  readonly id: string;
}

export interface Rotation {
  readonly table: SealedTable["name"];
  /** Rows under another key-encryption key when it began, and those moved since. */
  readonly total: number;
  readonly moved: number;
}

const BATCH_SIZE = 100;
/** A remote key-encryption key answers several at once. */
const CONCURRENCY = 10;

const countStatement = (table: SealedTable["name"]): Statement => ({
  name: `count-sealed-${table}`,
  text: `SELECT kek_id AS "kekId", count(*)::int AS rows FROM ${table} WHERE kek_id <> $1 GROUP BY kek_id ORDER BY kek_id`,
});

const statements = (table: SealedTable["name"]) => ({
  next: {
    name: `next-sealed-${table}`,
    text: `SELECT id, wrapped_data_key AS "wrappedDataKey", kek_id AS "kekId" FROM ${table}
      WHERE kek_id <> $1 AND id > $2 ORDER BY id LIMIT ${BATCH_SIZE}`,
  },
  // Another process may have moved it meanwhile: then its work stands.
  move: {
    name: `move-sealed-${table}`,
    text: `UPDATE ${table} SET wrapped_data_key = $3, kek_id = $4 WHERE id = $1 AND kek_id = $2`,
  },
});

/** Rows of the table under another key-encryption key than the current one, by its id. */
export async function rowsUnderOthers(
  db: Database,
  { kek }: KeyEncryptionKeys,
  { name }: SealedTable,
): Promise<ReadonlyMap<string, number>> {
  const counts = await db.query<{ kekId: string; rows: number }>(countStatement(name), [kek.id]);
  return new Map(counts.map(({ kekId, rows }) => [kekId, rows]));
}

/**
 * Moves every row of the table, batch after batch; broken off, it goes on where it was. Rows under a key that is not
 * configured are left. Nodes that know both keys go on serving meanwhile.
 * @param onProgress told after each batch
 * @throws when a key-encryption key cannot be reached or a row does not open: nothing of that row was changed
 */
export async function rotateTable(
  db: Database,
  keks: KeyEncryptionKeys,
  table: SealedTable,
  onProgress: (rotation: Rotation) => void,
): Promise<Rotation> {
  const { next, move } = statements(table.name);
  const under = await rowsUnderOthers(db, keks, table);
  const total = [...under.values()].reduce((sum, rows) => sum + rows, 0);
  let rotation: Rotation = { table: table.name, total, moved: 0 };
  for (let after = ""; ; ) {
    const rows = await db.query<SealedRow>(next, [keks.kek.id, after]);
    for (let start = 0; start < rows.length; start += CONCURRENCY) {
      const some = rows.slice(start, start + CONCURRENCY);
      const moved = await Promise.all(some.map((row) => moveRow(db, keks, move, table, row)));
      rotation = { ...rotation, moved: rotation.moved + moved.filter(Boolean).length };
    }
    const last = rows.at(-1);
    if (last) onProgress(rotation);
    if (!last || rows.length < BATCH_SIZE) return rotation;
    after = last.id;
  }
}

async function moveRow(
  db: Database,
  keks: KeyEncryptionKeys,
  move: Statement,
  table: SealedTable,
  row: SealedRow,
): Promise<boolean> {
  try {
    const wrapped = { ...row, wrappedDataKey: Uint8Array.from(row.wrappedDataKey) };
    const { wrappedDataKey, kekId } = await rewrapDataKey(keks, wrapped, table.contextOf(row.id));
    await db.query(move, [row.id, row.kekId, wrappedDataKey, kekId]);
    return true;
  } catch (error) {
    if (!(error instanceof UnknownKekError)) throw error;
    return false;
  }
}
