/**
 * Binds the ciphertexts of version 0.1.0 to their accounts. Nothing else opens ciphertexts under their former contexts. The
 * column `is_account_bound` records the progress only: it decides nothing when a row is opened.
 */
import type { Database, Statement } from "../../database/connection.ts";
import { SealBrokenError } from "./sealed-box.ts";
import type { AccountTable, SealedTable, UnboundRow } from "./sealed-table.ts";
import { type KeyEncryptionKeys, openDataKey, rebindDataKey, type WrappedKey } from "./wrapped-key.ts";

export interface Binding {
  readonly table: SealedTable["name"];
  /** Unbound rows at the start, and the number bound since. */
  readonly total: number;
  readonly bound: number;
  /** Ids of rows that open neither for their account nor under the former context. Their ciphertexts were not changed. */
  readonly unopenable: readonly string[];
}

const BATCH_SIZE = 100;
/** A remote key-encryption key serves concurrent calls. */
const CONCURRENCY = 10;

const createStatements = ({ name, former: { boxColumn, contextColumns } }: AccountTable) => ({
  next: {
    name: `next-unbound-${name}`,
    text: `SELECT id, account_id AS "accountId", wrapped_data_key AS "wrappedDataKey", kek_id AS "kekId",
        ${boxColumn} AS box${contextColumns ? `, ${contextColumns}` : ""} FROM ${name}
      WHERE NOT is_account_bound AND kek_id = ANY($1) AND id > $2 ORDER BY id LIMIT ${BATCH_SIZE}`,
  },
  // One statement, so an interruption leaves the row either unbound or bound. A row that changed since it was read is not
  // overwritten.
  bind: {
    name: `bind-${name}`,
    text: `UPDATE ${name} SET ${boxColumn} = $5, wrapped_data_key = $6, kek_id = $7, is_account_bound = true
      WHERE id = $1 AND NOT is_account_bound AND account_id IS NOT DISTINCT FROM $2::uuid
        AND ${boxColumn} = $3 AND wrapped_data_key = $4 RETURNING id`,
  },
});

const countStatement = ({ name }: AccountTable): Statement => ({
  name: `count-unbound-${name}`,
  text: `SELECT count(*)::int AS rows FROM ${name} WHERE NOT is_account_bound AND kek_id = ANY($1)`,
});

/** Returns the number of rows that are sealed under a configured key-encryption key, but not bound to their account. */
export async function countUnboundRows(db: Database, keks: KeyEncryptionKeys, table: AccountTable): Promise<number> {
  const [counted] = await db.query<{ rows: number }>(countStatement(table), [configuredIds(keks)]);
  return counted?.rows ?? 0;
}

/**
 * Binds every row of the table to the account that it currently belongs to, and rewraps its data key under the current
 * key-encryption key. An interrupted run continues with the remaining rows. Concurrent runs are safe.
 *
 * @param onProgress called after each batch
 * @throws a key-encryption key is unreachable; the row was not changed
 */
export async function bindTable(
  db: Database,
  keks: KeyEncryptionKeys,
  table: AccountTable,
  onProgress: (binding: Binding) => void,
): Promise<Binding> {
  const { next, bind } = createStatements(table);
  const kekIds = configuredIds(keks);
  let binding: Binding = {
    table: table.name,
    total: await countUnboundRows(db, keks, table),
    bound: 0,
    unopenable: [],
  };
  for (let after = ""; ; ) {
    const rows = (await db.query<UnboundRow & WrappedKey>(next, [kekIds, after])).map(copyBytes);
    for (let start = 0; start < rows.length; start += CONCURRENCY) {
      const chunk = rows.slice(start, start + CONCURRENCY);
      const outcomes = await Promise.all(chunk.map((row) => bindRow(db, keks, bind, table, row)));
      const unopenable = chunk.filter((_, index) => outcomes[index] === "unopenable").map(({ id }) => id);
      binding = {
        ...binding,
        bound: binding.bound + outcomes.filter((outcome) => outcome === "bound").length,
        unopenable: [...binding.unopenable, ...unopenable],
      };
    }
    const last = rows.at(-1);
    if (last) onProgress(binding);
    if (!last || rows.length < BATCH_SIZE) return binding;
    after = last.id;
  }
}

async function bindRow(
  db: Database,
  keks: KeyEncryptionKeys,
  bind: Statement,
  table: AccountTable,
  row: UnboundRow & WrappedKey,
): Promise<"bound" | "changed" | "unopenable"> {
  const sealed = await sealForAccount(keks, table, row);
  const { box, wrappedDataKey, kekId } = sealed ?? row;
  // A row that does not open is marked too, since binding it is impossible in any later run.
  const values = [row.id, row.accountId, row.box, row.wrappedDataKey, box, wrappedDataKey, kekId];
  const isWritten = (await db.query(bind, values)).length > 0;
  if (!isWritten) return "changed";
  return sealed ? "bound" : "unopenable";
}

/** Returns the columns of the row bound to its account; null if the row does not open. */
async function sealForAccount(
  keks: KeyEncryptionKeys,
  table: AccountTable,
  row: UnboundRow & WrappedKey,
): Promise<(WrappedKey & { readonly box: Uint8Array }) | null> {
  const context = table.contextOf(row);
  try {
    const { dataKey, ...wrapped } = await rebindDataKey(keks, row, {
      from: table.former.contextOf(row.id),
      to: context,
    });
    return { ...wrapped, box: table.former.rebox(dataKey, row) };
  } catch (error) {
    if (!(error instanceof SealBrokenError)) throw error;
    return (await isBound(keks, row, context)) ? row : null;
  }
}

/** Returns whether the data key is already bound to the account, although the row is marked as unbound. */
async function isBound(keks: KeyEncryptionKeys, row: WrappedKey, context: string): Promise<boolean> {
  try {
    await openDataKey(keks, row, context);
    return true;
  } catch (error) {
    if (error instanceof SealBrokenError) return false;
    throw error;
  }
}

function configuredIds({ kek, olderKeks = [] }: KeyEncryptionKeys): string[] {
  return [kek, ...olderKeks].map(({ id }) => id);
}

/** The embedded database returns views on memory that it reuses. */
function copyBytes<Row extends UnboundRow & WrappedKey>(row: Row): Row {
  return { ...row, box: Uint8Array.from(row.box), wrappedDataKey: Uint8Array.from(row.wrappedDataKey) };
}
