/**
 * `npm run audit`: holds every counter that limits are kept by against the ledger, and fails when one disagrees. It reads one
 * snapshot and writes nothing; beside nodes that run, where the database is a server.
 */
import { ConfigError, loadConfig, readEnvironment } from "./platform/config/load.ts";
import { embeddedDatabaseExists, openDatabase } from "./platform/database/connection.ts";
import { DataDirLockedError } from "./platform/database/data-dir-lock.ts";
import { isSchemaMismatch } from "./platform/database/errors.ts";
import { auditLedger, type Discrepancy } from "./wallet/audit.ts";

const NAMES: Readonly<Record<Discrepancy["what"], string>> = {
  budget_day: "Spent in the budget's day, in micro-USD",
  budget_month: "Spent in the budget's month, in micro-USD",
  credit: "Credit left of the account, in micro-USD",
  wallet_hold: "Held in the wallet, in the asset's smallest unit",
};

/** No database, or one with another schema. */
class NothingToAuditError extends Error {}

/** What a person can put right; anything else is a fault of the program, and shown whole. */
const EXPLAINED = [ConfigError, DataDirLockedError, NothingToAuditError];

try {
  process.exitCode = report(await audit());
} catch (error) {
  if (!EXPLAINED.some((kind) => error instanceof kind)) throw error;
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}

async function audit(): Promise<Discrepancy[]> {
  const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir } = loadConfig(readEnvironment());
  // Opening it would make one.
  if (!databaseUrl && !embeddedDatabaseExists(dataDir))
    throw new NothingToAuditError(`There is no database in ${dataDir}.`);
  const db = await openDatabase({ databaseUrl, dataDir, poolSize: 1 });
  try {
    return await auditLedger(db);
  } catch (error) {
    if (!isSchemaMismatch(error)) throw error;
    throw new NothingToAuditError(
      "The database is not up to date: `npm run migrate` brings it there. Nothing was read.",
    );
  } finally {
    await db.close();
  }
}

/** Answers the exit code: 0 when all agree. */
function report(discrepancies: readonly Discrepancy[]): number {
  if (discrepancies.length === 0) {
    process.stdout.write("Every counter agrees with the ledger\n");
    return 0;
  }
  for (const { what, id, counter, ledger } of discrepancies) {
    process.stderr.write(`${NAMES[what]}: ${id}: the counter says ${counter}, the ledger ${ledger}\n`);
  }
  process.stderr.write(`Counters that disagree with the ledger: ${discrepancies.length}\n`);
  return 1;
}
