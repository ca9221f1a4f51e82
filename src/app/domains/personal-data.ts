/** Composition of export and deletion of accounts: settings, the download route, jobs. */
import type { FastifyInstance } from "fastify";
import { runDeletions } from "../../personal-data/deletion/run-deletions.ts";
import type { PersonalDataDeps } from "../../personal-data/deps.ts";
import { deleteExpiredExports, runExports } from "../../personal-data/export/run-exports.ts";
import { deleteOldClaims } from "../../wallet/free-credit-claims.ts";
import type { Platform } from "../platform.ts";
import { registerAccountExportRoute } from "../routes/account-export.ts";
import type { FileRouteDeps } from "../routes/file-route.ts";

const INTERVAL_MS = 5_000;
const CLEANING_INTERVAL_MS = 600_000;

export function createPersonalDataDeps({ config }: Platform): Pick<PersonalDataDeps, "personalData"> {
  const { ACCOUNT_EXPORT_DAYS: exportDays, ACCOUNT_DELETION_DELAY_DAYS: deletionDelayDays } = config;
  return { personalData: { exportDays, deletionDelayDays } };
}

export function registerPersonalDataRoutes(app: FastifyInstance, deps: PersonalDataDeps & FileRouteDeps): void {
  registerAccountExportRoute(app, deps);
}

export async function startPersonalDataJobs({ jobs, db }: Platform, deps: PersonalDataDeps): Promise<void> {
  await jobs.repeat("export-accounts", INTERVAL_MS, () => runExports(deps));
  await jobs.repeat("delete-accounts", INTERVAL_MS, () => runDeletions(deps));
  await jobs.repeat("delete-expired-exports", CLEANING_INTERVAL_MS, async () => {
    await deleteExpiredExports(db);
    await deleteOldClaims(db);
  });
}
