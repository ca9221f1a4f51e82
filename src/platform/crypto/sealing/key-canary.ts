/**
 * Canaries: one wrapped key for each key-encryption key that sealed something. A service with another key would seal new wallets
 * under it, which stay unusable when the right key returns. Therefore it does not start.
 */
import type { Database } from "../../database/connection.ts";
import { OperatorError } from "../../operator-error.ts";
import { SealBrokenError } from "./sealed-box.ts";
import type { AccountTable, RowIdentity, SealedTable } from "./sealed-table.ts";
import { createDataKey, type KeyEncryptionKeys, openDataKey, type WrappedKey } from "./wrapped-key.ts";

/** Key of the transaction's advisory lock: nodes that start concurrently with different keys must not both record them. */
const CANARY_LOCK = 1_297_301_001;

/** A remote key responds within seconds, and another node may hold the lock. */
const TRANSACTION = { maxWait: 30_000, timeout: 30_000 };

/** The configured key-encryption keys do not open what the database contains. Nothing was written. */
export class KeyRefusedError extends OperatorError {}

export type KeyState = "opens" | "does not open" | "not configured";

export interface KeyReport {
  readonly kekId: string;
  readonly state: KeyState;
}

type SampleRow = WrappedKey & RowIdentity;

const contextOf = (kekId: string) => `key-canary:${kekId}`;

/**
 * Compares the configured keys with the database, which may be empty or of an earlier version. A database without canaries is
 * compared by rows of its sealed tables. Writes nothing.
 */
export async function reportKeys(
  db: Database,
  keks: KeyEncryptionKeys,
  tables: readonly SealedTable[],
): Promise<KeyReport[]> {
  const canaries = await readCanaries(db);
  const reports: KeyReport[] = [];
  if (canaries.length > 0) {
    for (const canary of canaries) {
      const context = contextOf(canary.kekId);
      reports.push({ kekId: canary.kekId, state: await stateOf(keks, [{ ...canary, contexts: [context] }]) });
    }
    return reports;
  }
  const samples = Map.groupBy(await readSamples(db, tables), ({ kekId }) => kekId);
  for (const [kekId, rows] of samples) reports.push({ kekId, state: await stateOf(keks, rows) });
  return reports;
}

/**
 * Requires that the configured keys open everything in the database. Writes nothing.
 * @throws {KeyRefusedError}
 */
export async function requireKeys(
  db: Database,
  keks: KeyEncryptionKeys,
  tables: readonly SealedTable[],
): Promise<void> {
  refuseUnopened(await reportKeys(db, keks, tables));
}

/**
 * Records canaries of the current key and of all other keys in use, before anything is sealed.
 *
 * @param discarded a lost key, whose rows stay unusable
 * @param isProduction whether the database is used in production from now on
 * @throws {KeyRefusedError} the configured keys do not open everything in the database
 */
export async function claimKeys(
  db: Database,
  keks: KeyEncryptionKeys,
  tables: readonly SealedTable[],
  { discarded, isProduction = false }: { readonly discarded?: string; readonly isProduction?: boolean } = {},
): Promise<void> {
  // Created before the transaction, because the key may be in a remote service.
  const candidates = [keks.kek, ...(keks.olderKeks ?? [])];
  const fresh = await Promise.all(candidates.map((kek) => createDataKey({ kek }, contextOf(kek.id))));
  await db.prisma.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(${CANARY_LOCK}::bigint)`;
    const inTransaction: Database = {
      ...db,
      query: (statement, values) => tx.$queryRawUnsafe(statement.text, ...values),
    };
    const reports = (await reportKeys(inTransaction, keks, tables)).filter(({ kekId }) => kekId !== discarded);
    refuseUnopened(reports);
    // Later canaries inherit it: a rotation deletes the one that a production service marked.
    const isMarked = isProduction || (await isProductionDatabase(inTransaction));
    const inUse = new Set([keks.kek.id, ...reports.map(({ kekId }) => kekId)]);
    if (discarded !== undefined) await tx.keyCanary.deleteMany({ where: { kekId: discarded } });
    const data = fresh
      .filter(({ kekId }) => inUse.has(kekId))
      .map(({ kekId, wrappedDataKey }) => ({ kekId, wrappedDataKey }));
    await tx.keyCanary.createMany({ data, skipDuplicates: true });
    if (isMarked) await tx.keyCanary.updateMany({ data: { isProduction: true } });
  }, TRANSACTION);
}

/** Returns true if the database, which may be of an earlier version, contains anything sealed. */
export async function hasSealedRows(db: Database, tables: readonly SealedTable[]): Promise<boolean> {
  return (await readCanaries(db)).length > 0 || (await readSamples(db, tables)).length > 0;
}

/** Returns true if a production service has used the database. */
export async function isProductionDatabase(db: Database): Promise<boolean> {
  return (await readCanaries(db)).some(({ isProduction }) => isProduction);
}

/** Deletes the canaries of all keys but the current one. Only after a rotation that left no row under another key. */
export async function retireOtherKeys({ prisma }: Database, { kek }: KeyEncryptionKeys): Promise<void> {
  await prisma.keyCanary.deleteMany({ where: { kekId: { not: kek.id } } });
}

function refuseUnopened(reports: readonly KeyReport[]): void {
  const problems = reports.filter(({ state }) => state !== "opens");
  if (problems.length === 0) return;
  throw new KeyRefusedError(
    [
      "The key-encryption key does not open this database. Nothing was written.",
      ...problems.map(({ kekId, state }) => `  ${kekId}: ${state}`),
      "Configure the key that this database was sealed with, as the current key or in the OLDER_ settings.",
      "`npm run keys -- check` lists the keys. SECURITY.md describes rotation and the loss of a key.",
    ].join("\n"),
  );
}

type Candidate = WrappedKey & { readonly contexts: readonly string[] };

/** @throws {KmsError} a remote key is unreachable */
async function stateOf(keks: KeyEncryptionKeys, candidates: readonly Candidate[]): Promise<KeyState> {
  const configured = new Set([keks.kek.id, ...(keks.olderKeks ?? []).map(({ id }) => id)]);
  if (!candidates.every(({ kekId }) => configured.has(kekId))) return "not configured";
  // One row that opens suffices: another may be damaged.
  for (const { contexts, ...wrapped } of candidates) {
    for (const context of contexts) if (await opens(keks, wrapped, context)) return "opens";
  }
  return "does not open";
}

async function opens(keks: KeyEncryptionKeys, { kekId, wrappedDataKey }: WrappedKey, context: string) {
  try {
    await openDataKey(keks, { kekId, wrappedDataKey: Uint8Array.from(wrappedDataKey) }, context);
    return true;
  } catch (error) {
    if (!(error instanceof SealBrokenError)) throw error;
    return false;
  }
}

async function tableExists(db: Database, table: string): Promise<boolean> {
  const text = "SELECT to_regclass($1::text) IS NOT NULL AS exists";
  const [row] = await db.query<{ exists: boolean }>({ name: "table-exists", text }, [table]);
  return row?.exists === true;
}

type Canary = WrappedKey & { readonly isProduction: boolean };

async function readCanaries(db: Database): Promise<Canary[]> {
  if (!(await tableExists(db, "key_canaries"))) return [];
  const text = `SELECT kek_id AS "kekId", wrapped_data_key AS "wrappedDataKey", is_production AS "isProduction"
    FROM key_canaries ORDER BY created_at`;
  return await db.query<Canary>({ name: "read-key-canaries", text }, []);
}

/** Returns one row of each table for each of its keys. */
async function readSamples(db: Database, tables: readonly SealedTable[]): Promise<Candidate[]> {
  const samples: Candidate[] = [];
  for (const table of tables) {
    if (!(await tableExists(db, table.name))) continue;
    const accountId = table.hasAccounts ? "account_id" : "NULL";
    const text = `SELECT DISTINCT ON (kek_id) id, ${accountId} AS "accountId", wrapped_data_key AS "wrappedDataKey",
        kek_id AS "kekId" FROM ${table.name} WHERE kek_id IS NOT NULL ORDER BY kek_id`;
    for (const row of await db.query<SampleRow>({ name: `sample-sealed-${table.name}`, text }, [])) {
      // Rows of version 0.1.0 are bound to their id only.
      const former = "former" in table ? [(table as AccountTable).former.contextOf(row.id)] : [];
      samples.push({ ...row, contexts: [table.contextOf(row), ...former] });
    }
  }
  return samples;
}
