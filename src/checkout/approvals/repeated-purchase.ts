/**
 * Repetition of a purchase with an unknown outcome, or of one whose payment is in flight. Agents retry in spite of `retryable: null`, and the card may already have
 * been charged, so the account owner decides about the repetition.
 */
import { type CheckoutApproval, Prisma } from "../../../generated/prisma/client.ts";
import type { OrderRequest } from "../order-request.ts";

/** A repetition within this period requires an approval. */
const PERIOD_MS = 86_400_000;

/** The purchase that is about to be placed. */
export interface RequestedPurchase {
  readonly accountId: string;
  /** Ids of all records of the merchant. */
  readonly recordIds: readonly string[];
  readonly items: OrderRequest["items"];
  /** The owner's decision about this purchase, who knew the outcomes before it. */
  readonly decidedAt?: Date | null;
}

/**
 * Returns whether an order of the account for one of these items at the merchant may have charged the card. Either it was
 * submitted and has not ended, or it is the latest that ended within 24 hours, with an unknown outcome. Quantities do not matter,
 * because agents change them when they retry. Orders that ended without a charge are no outcome, so a denied repetition does not permit
 * the next one.
 */
export async function isRepetitionOfUnknown(
  db: Pick<Prisma.TransactionClient, "$queryRaw">,
  { accountId, recordIds, items, decidedAt = null }: RequestedPurchase,
): Promise<boolean> {
  const skus = items.map(({ sku }) => sku);
  const [found] = await db.$queryRaw<{ isUnknown: boolean | null }[]>`
    WITH orders AS (
      SELECT status, completed_at, submitted_at,
        coalesce(completed_at, submitted_at) > coalesce(${decidedAt}::timestamptz, '-infinity') AS is_undecided
      FROM checkout_orders
      WHERE account_id = ${accountId}::uuid AND kind = 'purchase' AND merchant_id IN (${Prisma.join([...recordIds])})
        AND updated_at > now() - ${PERIOD_MS} * interval '1 millisecond'
        AND (completed_at IS NULL AND submitted_at IS NOT NULL
          OR completed_at > now() - ${PERIOD_MS} * interval '1 millisecond' AND (status = 'succeeded' OR retryable IS NULL))
        AND EXISTS (SELECT FROM jsonb_array_elements(request -> 'items') item
          WHERE item ->> 'sku' IN (${Prisma.join(skus)}))
    )
    SELECT coalesce((SELECT bool_or(is_undecided) FROM orders WHERE completed_at IS NULL), false)
      OR coalesce((SELECT status <> 'succeeded' AND is_undecided FROM orders
        WHERE completed_at IS NOT NULL ORDER BY completed_at DESC LIMIT 1), false) AS "isUnknown"`;
  return found?.isUnknown ?? false;
}

/**
 * Requests the owner's decision again, if the outcome of an equal purchase became unknown after it. The earlier decision did not
 * consider that the card may have been charged. Returns null if the approval was used or has expired meanwhile.
 */
export async function reopenApproval(
  db: Pick<Prisma.TransactionClient, "checkoutApproval">,
  { id, document, decidedAt }: CheckoutApproval,
  approvalMs: number,
): Promise<CheckoutApproval | null> {
  const expiresAt = new Date(Date.now() + approvalMs);
  const signed = { ...(document as Prisma.JsonObject), expires_at: expiresAt.toISOString() };
  const [reopened] = await db.checkoutApproval.updateManyAndReturn({
    where: { id, status: "approved", decidedAt },
    data: {
      ...{ status: "pending", reason: "outcome_unknown", document: signed, expiresAt },
      ...{ decidedAt: null, signature: Prisma.DbNull },
    },
  });
  return reopened ?? null;
}
