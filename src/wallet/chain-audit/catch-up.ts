import { ChainUnavailableError } from "../chain.ts";
import type { NetworkName } from "../networks.ts";
import { auditNetwork } from "./audit-network.ts";
import type { ChainAuditDeps } from "./deps.ts";
import { findProgress } from "./transfer-store.ts";

/** How far the audit of a network got. */
export interface AuditedNetwork {
  readonly network: NetworkName;
  /** The last block, or slot, that was audited; null if there is no wallet. */
  readonly block: string | null;
  /** Number of transfers that were read for the first time. */
  readonly transferCount: number;
  /** The reason why the audit could not be completed; null if it was. */
  readonly failure: string | null;
}

/** Runs the audit on each network until it has read the last final block. */
export async function catchUp(deps: ChainAuditDeps): Promise<AuditedNetwork[]> {
  return await Promise.all(
    deps.chains.networks.map(async (network) => {
      let transferCount = 0;
      let failure: string | null = null;
      try {
        for (let isCaughtUp = false; !isCaughtUp; ) {
          const run = await auditNetwork(deps, network);
          transferCount += run.addedCount;
          isCaughtUp = run.isCaughtUp;
        }
      } catch (error) {
        if (!(error instanceof ChainUnavailableError)) throw error;
        failure = `${error.message} (${error.reason})`;
      }
      const progress = await findProgress(deps.db, network);
      return { network, block: progress?.block.number.toString() ?? null, transferCount, failure };
    }),
  );
}
