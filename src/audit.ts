/**
 * `npm run audit`: compares every counter of limits with the ledger, and fails if one differs. Reads one snapshot and writes
 * nothing. With a PostgreSQL server, nodes may run meanwhile.
 */
import { ConfigError, loadConfig, readEnvironment } from "./platform/config/load.ts";
import { embeddedDatabaseExists, openDatabase } from "./platform/database/connection.ts";
import { DataDirLockedError } from "./platform/database/data-dir-lock.ts";
import { isSchemaMismatch } from "./platform/database/errors.ts";
import { auditLedger, type Discrepancy } from "./wallet/audit.ts";

const NAMES: Readonly<Record<Discrepancy["what"], string>> = {
  budget_day: "Budget used in the UTC day, micro-USD",
  budget_month: "Budget used in the UTC month, micro-USD",
  credit: "Remaining free credit, micro-USD",
  wallet_hold: "Outstanding amount of the wallet, smallest unit of the asset",
};

/** The database does not exist or has another schema. */
class NothingToAuditError extends Error {}

/** Errors that the operator can correct: only their message is printed. Other errors are bugs and have a stack trace. */
const OPERATOR_ERRORS = [ConfigError, DataDirLockedError, NothingToAuditError];

try {
  process.exitCode = report(await audit());
} catch (error) {
  if (!OPERATOR_ERRORS.some((kind) => error instanceof kind)) throw error;
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}

async function audit(): Promise<Discrepancy[]> {
  const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir } = loadConfig(readEnvironment());
  // Opening a database that does not exist would create it.
  if (!databaseUrl && !embeddedDatabaseExists(dataDir))
    throw new NothingToAuditError(`No database found in ${dataDir}. Set DATA_DIR or DATABASE_URL.`);
  const db = await openDatabase({ databaseUrl, dataDir, poolSize: 1 });
  try {
    return await auditLedger(db);
  } catch (error) {
    if (!isSchemaMismatch(error)) throw error;
    throw new NothingToAuditError(
      "The database has another schema version. No counter was checked. Run `npm run migrate` first.",
    );
  } finally {
    await db.close();
  }
}

/** Prints the differences and returns the exit code: 0 if there are none. */
function report(discrepancies: readonly Discrepancy[]): number {
  if (discrepancies.length === 0) {
    process.stdout.write("All counters match the ledger\n");
    return 0;
  }
  for (const { what, id, counter, ledger } of discrepancies) {
    process.stderr.write(`${NAMES[what]}: ${id}: counter ${counter}, ledger ${ledger}\n`);
  }
  process.stderr.write(`Counters that differ from the ledger: ${discrepancies.length}\n`);
  return 1;
}
