/** Composition of the chain audit: its settings, metrics, notifications and job. */
import type { Config } from "../../platform/config/load.ts";
import { auditChains } from "../../wallet/chain-audit/audit-chains.ts";
import { registerChainAuditMetrics } from "../../wallet/chain-audit/chain-audit-metrics.ts";
import type { ChainAuditDeps } from "../../wallet/chain-audit/deps.ts";
import { notifyDifferences } from "../../wallet/chain-audit/notify-differences.ts";
import type { Platform } from "../platform.ts";
import type { WalletDeps } from "./wallet.ts";

/** Returns the settings of the chain audit. */
export function chainAuditSettings(config: Config): ChainAuditDeps["chainAudit"] {
  return {
    confirmations: config.CHAIN_AUDIT_CONFIRMATIONS ?? (config.SANDBOX ? 1 : null),
    since: config.CHAIN_AUDIT_SINCE ?? null,
    maxRequests: config.CHAIN_AUDIT_MAX_REQUESTS,
  };
}

export async function startChainAuditJobs(platform: Platform, { chains }: WalletDeps): Promise<void> {
  const { config, db, logger, jobs, metrics, queueEmail, dashboardUrl } = platform;
  if (!config.CHAIN_AUDIT) return;
  const deps = { db, chains, logger, chainAudit: chainAuditSettings(config) };
  const countTransfers = registerChainAuditMetrics(metrics, db);
  await jobs.repeat("audit-chains", config.CHAIN_AUDIT_INTERVAL_MS, async () => {
    for (const { network, addedCount } of await auditChains(deps)) countTransfers(network, addedCount);
    await notifyDifferences({ db, logger, queueEmail, adminEmails: config.ADMIN_EMAILS, dashboardUrl: dashboardUrl() });
  });
}
