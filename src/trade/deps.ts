/** What the trade use cases need, beside what payments do. */
import type { PaymentDeps } from "../payments/deps.ts";
import type { Dex } from "./dex.ts";

export interface Trading {
  /** Null where none is configured. */
  readonly dex: Dex | null;
  /** The contracts that may be allowed to take a sold token, and called to swap it; with checksums. */
  readonly spenders: readonly `0x${string}`[];
  /** How long a request waits for the network before it answers with what is known. */
  readonly waitMs: number;
  /** A transaction that is not mined after this long is sent again with higher fees. */
  readonly stuckAfterMs: number;
  /** A swap that is not mined after this long is no longer wanted: its nonce is used up by nothing. */
  readonly staleAfterMs: number;
}

export type TradeDeps = Pick<
  PaymentDeps,
  "db" | "vault" | "wallets" | "chains" | "pubsub" | "logger" | "rateLimiter" | "settings"
> & { readonly trading: Trading };
