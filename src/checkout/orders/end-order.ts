/** Ending an order that was on its way: what it did not spend is given back to its policy in the same transaction. */
import type { CheckoutOrder, Prisma } from "../../../generated/prisma/client.ts";
import { releasePolicy } from "../policy/use-policy.ts";
import { type Cause, moveOrder } from "./states.ts";

/** Null when it stands elsewhere by now: then nothing was written. See `moveOrder`. */
export async function endOrder(
  tx: Prisma.TransactionClient,
  orderId: string,
  cause: Cause,
  options: Parameters<typeof moveOrder>[3] = {},
): Promise<CheckoutOrder | null> {
  const ended = await moveOrder(tx, orderId, cause, options);
  if (!ended) return null;
  const { policyId, policyDay } = ended;
  const unspentMinor = unspentOf(ended);
  if (policyId !== null && policyDay !== null && unspentMinor > 0n) {
    await releasePolicy(tx, { policyId, amountMinor: Number(unspentMinor), day: policyDay });
  }
  return ended;
}

/** Of the approved amount; nothing where money may have moved, or where the shop charged what was not approved. */
function unspentOf({ status, retryable, errorCode, amountMinor, amountChargedMinor }: CheckoutOrder): bigint {
  if (amountMinor === null || retryable === null || errorCode === "overcharged") return 0n;
  return status === "succeeded" ? amountMinor - (amountChargedMinor ?? amountMinor) : amountMinor;
}
