/** What pays for one provider's answer. */
import type { Attempt } from "./attempt.ts";
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

/** The caller left before any of the answer was passed on. The provider has read the prompt by then and charges for it, and so is it charged. */
export async function settleAbortedCall({ call, promptTokens }: Attempt, payment: CallPayment): Promise<void> {
  const used = { prompt: await promptTokens(), completion: 0 };
  call.note(used, await payment.settle(used));
}
