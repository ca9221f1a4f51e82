import type { Database } from "../../platform/database/connection.ts";
import type { Logger } from "../../platform/observability/logger.ts";
import type { Chains } from "../chain.ts";

export interface ChainAuditDeps {
  readonly db: Database;
  readonly chains: Chains;
  readonly logger: Pick<Logger, "warn" | "error">;
  readonly chainAudit: {
    /** Blocks after which an EVM transfer is compared; null: when its block is finalized. */
    readonly confirmations: number | null;
    /** Transfers before this time are not audited; null: all since the creation of the oldest wallet. */
    readonly since: Date | null;
    /** Approximate maximum of RPC requests of one run on one network. */
    readonly maxRequests: number;
  };
}
