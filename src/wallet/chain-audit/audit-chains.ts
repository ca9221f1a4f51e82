import { ChainUnavailableError } from "../chain.ts";
import { type AuditRun, auditNetwork } from "./audit-network.ts";
import type { ChainAuditDeps } from "./deps.ts";

/** Runs the audit on each configured network. A network that is unavailable does not stop the others, and is left out of the result. */
export async function auditChains(deps: ChainAuditDeps): Promise<AuditRun[]> {
  const runs: AuditRun[] = [];
  for (const network of deps.chains.networks) {
    try {
      runs.push(await auditNetwork(deps, network));
    } catch (error) {
      const isUnavailable = error instanceof ChainUnavailableError;
      deps.logger[isUnavailable ? "warn" : "error"]({ err: error, network }, "Chain audit failed; next run scheduled");
    }
  }
  return runs;
}
