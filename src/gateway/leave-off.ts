import type { Attempt } from "./attempt.ts";
import type { CallPayment } from "./payment.ts";

/** The caller left before any of the answer was passed on. The provider has read the prompt by then and charges for it, and so is it charged. */
export async function settleAbortedCall({ call, promptTokens }: Attempt, payment: CallPayment): Promise<void> {
  const used = { prompt: await promptTokens(), completion: 0 };
  call.note(used, await payment.settle(used));
}
