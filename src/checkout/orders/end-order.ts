/** Ending an order that was on its way: what it cannot have spent is given back to its policy in the same transaction. */
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

/**
 * The approved amount for as long as the card stayed in the vault. After that only the shop's own pages say what was
 * charged, and a lying shop ("declined") could stretch a day's limit.
 */
function unspentOf({ cardReleasedAt, submittedAt, amountMinor }: CheckoutOrder): bigint {
  return cardReleasedAt === null && submittedAt === null ? (amountMinor ?? 0n) : 0n;
}
