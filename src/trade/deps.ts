/** Dependencies of the trade use cases, in addition to those of payments. */
import type { PaymentDeps } from "../payments/deps.ts";
import type { Dex } from "./dex.ts";
import type { GasLimits } from "./gas/gas-limits.ts";

export interface Trading {
  /** The aggregator; null if none is configured. */
  readonly dex: Dex | null;
  /** Checksummed addresses of the contracts that may be approved for a sold token and called to swap it. */
  readonly spenders: readonly `0x${string}`[];
  /** Time for which a request waits for the network before it returns the current status. */
  readonly waitMs: number;
  /** Time after which an unmined transaction is sent again with higher fees. */
  readonly stuckAfterMs: number;
  /** Time after which an unmined swap is cancelled: an empty transaction consumes its nonce. */
  readonly staleAfterMs: number;
  readonly gas: {
    readonly limits: GasLimits;
    /** Time for which a trade waits for the network to mine its gas. */
    readonly waitMs: number;
  };
}

export type TradeDeps = Pick<
  PaymentDeps,
  "db" | "vault" | "wallets" | "chains" | "pubsub" | "logger" | "rateLimiter" | "settings"
> & { readonly trading: Trading };
