import { catchUp } from "../../src/wallet/chain-audit/catch-up.ts";
import type { ChainAuditDeps } from "../../src/wallet/chain-audit/deps.ts";
import { type OpenDifference, readOpenDifferences } from "../../src/wallet/chain-audit/differences.ts";

/** Audits all chains up to their latest block and returns the differences from the ledger. */
export async function findChainDifferences(
  deps: Pick<ChainAuditDeps, "db" | "chains" | "logger">,
): Promise<OpenDifference[]> {
  const chainAudit = { confirmations: 0, since: null, maxRequests: 10_000 };
  const networks = await catchUp({ db: deps.db, chains: deps.chains, logger: deps.logger, chainAudit });
  const failed = networks.filter(({ failure }) => failure !== null);
  if (failed.length > 0) throw new Error(`Chains not audited: ${JSON.stringify(failed)}`);
  return await readOpenDifferences(deps.db);
}
