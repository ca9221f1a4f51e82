/**
 * `npm run audit`: compares every counter of limits with the ledger, and fails if one differs. Reads one snapshot and writes
 * nothing. With a PostgreSQL server, nodes may run meanwhile.
 *
 * `npm run audit -- --chain`: compares the transfers of all wallets on chain with the ledger, and fails if they differ. Continues the
 * audit that the service runs as a job, and stores its progress. `--json` prints the result as JSON.
 */
import { parseArgs } from "node:util";
import { readSandboxNetworks } from "./app/dev/demo-account.ts";
import { chainAuditSettings } from "./app/domains/chain-audit.ts";
import { selectRpcUrls } from "./app/domains/wallet.ts";
import { type ChainAuditReport, formatChainAudit } from "./app/format-chain-audit.ts";
import { type Config, readConfig } from "./platform/config/load.ts";
import { type Database, embeddedDatabaseExists, openDatabase } from "./platform/database/connection.ts";
import { isSchemaMismatch } from "./platform/database/errors.ts";
import { createLogger } from "./platform/observability/logger.ts";
import { OperatorError } from "./platform/operator-error.ts";
import { runCommand } from "./platform/run-command.ts";
import { auditLedger, type Discrepancy } from "./wallet/audit.ts";
import { catchUp } from "./wallet/chain-audit/catch-up.ts";
import { readOpenDifferences } from "./wallet/chain-audit/differences.ts";
import { createChains } from "./wallet/chains.ts";

const NAMES: Readonly<Record<Discrepancy["what"], string>> = {
  budget_day: "Budget used in the UTC day, micro-USD",
  budget_month: "Budget used in the UTC month, micro-USD",
  credit: "Remaining free credit, micro-USD",
  wallet_hold: "Outstanding amount of the wallet, smallest unit of the asset",
};

/** There is nothing to audit: no database, another schema, or no network. */
class NothingToAuditError extends OperatorError {}

const { values: options } = parseArgs({
  options: { chain: { type: "boolean", default: false }, json: { type: "boolean", default: false } },
});

await runCommand(async () => {
  const config = readConfig({ isCommand: true });
  return options.chain
    ? reportChains(await withDatabase(config, (db) => auditChains(config, db)))
    : report(await withDatabase(config, auditLedger));
});

async function withDatabase<Result>(config: Config, use: (db: Database) => Promise<Result>): Promise<Result> {
  const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir } = config;
  // Opening a database that does not exist would create it.
  if (!databaseUrl && !embeddedDatabaseExists(dataDir))
    throw new NothingToAuditError(`No database found in ${dataDir}. Set DATA_DIR or DATABASE_URL.`);
  const db = await openDatabase({ databaseUrl, dataDir, poolSize: options.chain ? 4 : 1 });
  try {
    return await use(db);
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

/** Audits each network up to its last final block. */
async function auditChains(config: Config, db: Database): Promise<ChainAuditReport> {
  const sandbox = config.SANDBOX ? await readSandboxNetworks(config.DATA_DIR) : null;
  const chains = createChains({ rpcUrls: selectRpcUrls(config, sandbox) });
  if (chains.networks.length === 0)
    throw new NothingToAuditError(
      "No network is configured. No transfer was checked. Set RPC_URL_BASE or another RPC_URL.",
    );
  const logger = createLogger(config.LOG_LEVEL);
  const networks = await catchUp({ db, chains, logger, chainAudit: chainAuditSettings(config) });
  return { networks, differences: await readOpenDifferences(db) };
}

/** Prints the result and returns the exit code: 0 if all networks were audited and nothing differs. */
function reportChains(result: ChainAuditReport): number {
  const isGood = result.differences.length === 0 && result.networks.every(({ failure }) => failure === null);
  const text = options.json ? JSON.stringify(result, null, 2) : formatChainAudit(result);
  process[isGood || options.json ? "stdout" : "stderr"].write(`${text}\n`);
  return isGood ? 0 : 1;
}
