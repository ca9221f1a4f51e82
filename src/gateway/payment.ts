/** The payment of one provider's response. */
import type { Attempt } from "./attempt.ts";
import { NO_USAGE, type Usage } from "./usage.ts";

export interface CallPayment {
  /** ID of the ledger entry; null for a free call. */
  readonly transactionId: string | null;
  /** The amount reserved in the ledger. */
  readonly reservedMicroUsd: bigint;
  /** The cost known before the response: a flat price, or the charge the provider reported. Null if it depends on tokens. */
  readonly knownMicroUsd: bigint | null;
  /** Charges the usage, once. Returns the cost in micro-USD. */
  settle(used: Usage): Promise<bigint>;
  /**
   * Releases the reservation after a failed delivery. Returns null if nothing is charged. Otherwise returns the ID of a payment that
   * was sent already, until the chain settles or expires it.
   */
  release(reason: string): Promise<string | null>;
}

/** Charges a caller that disconnected before the first byte for the prompt, because the provider charges for it too. */
export async function settleAbortedCall({ call, bound, promptTokens }: Attempt, payment: CallPayment): Promise<void> {
  const used = { ...NO_USAGE, prompt: await promptTokens(), images: bound.images, isEstimated: true };
  call.recordUsage(used, await payment.settle(used));
}
