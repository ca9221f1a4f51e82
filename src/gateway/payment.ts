/** What pays for one provider's answer. */
import type { TokenCounts } from "./price.ts";

export interface CallPayment {
  /** The ledger's id; null for a call that costs nothing. */
  readonly transactionId: string | null;
  /** What the ledger holds for it. */
  readonly reservedMicroUsd: bigint;
  /** Known before the answer is: a flat price, or what the provider says it charged. Null where tokens decide. */
  readonly knownMicroUsd: bigint | null;
  /** Charges what was used, once. Answers what that is, in micro-USD. */
  settle(used: TokenCounts): Promise<bigint>;
  /** Nothing was delivered. What is only reserved is given back; a payment that has left stays until the chain has spoken. */
  giveBack(reason: string): Promise<void>;
}
