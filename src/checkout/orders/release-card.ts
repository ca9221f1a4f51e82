/** Release of an order's card to the worker that drives it: once, and before the card is submitted. */
import type { CheckoutOrder } from "../../../generated/prisma/client.ts";
import { isHeldOpen } from "../../accounts/freeze/freeze-state.ts";
import { SealBrokenError } from "../../platform/crypto/sealing/sealed-box.ts";
import type { Statement } from "../../platform/database/connection.ts";
import { type OpenedCard, openCard } from "../cards/card-vault.ts";
import { waitedFor } from "../questions/question-period.ts";
import { LONG_TRANSACTION, type OrderDeps } from "./deps.ts";
import { endFrozenOrder } from "./end-frozen-order.ts";
import { endOrder } from "./end-order.ts";
import { LeaseLostError } from "./leases.ts";
import { publishOrder } from "./order-events.ts";

// Recorded before the card is decrypted: if the response is lost, a repeated request receives no card.
const RELEASE: Statement = {
  name: "release-checkout-card",
  text: `UPDATE checkout_orders SET card_released_at = now(), updated_at = now()
    WHERE worker_job_id = $1 AND status = 'dispatched' AND kind = 'purchase' AND card_id IS NOT NULL
      AND card_released_at IS NULL AND submitted_at IS NULL
      AND leased_until > now() AND started_at > now() - $2 * interval '1 millisecond' - ${waitedFor("checkout_orders")}
      AND NOT EXISTS (SELECT FROM order_questions WHERE open_slot = checkout_orders.id)
      AND ${isHeldOpen("account_id")}
    RETURNING id, account_id AS "accountId", card_id AS "cardId"`,
};

type ReleasedOrder = Pick<CheckoutOrder, "id" | "accountId"> & { readonly cardId: string };

/**
 * Decrypts the order's card. The caller must neither log nor store it.
 * @throws {LeaseLostError} the card was already released, or the lease may not pay the order. Also if the card has since
 *   been removed or disabled, or the account is frozen, which ends the order.
 * @throws {SealBrokenError} the card does not open for the order's account, which ends the order
 */
export async function releaseCard(deps: OrderDeps, lease: string): Promise<OpenedCard> {
  const { db, pubsub, checkoutTimeoutMs } = deps;
  const [order] = await db.query<ReleasedOrder>(RELEASE, [lease, checkoutTimeoutMs]);
  if (!order) {
    await endFrozenOrder(deps, lease);
    throw new LeaseLostError();
  }
  const card = await openCard(deps, order).catch(async (error: unknown) => {
    if (error instanceof SealBrokenError) await endWithoutCard(deps, lease, order);
    throw error;
  });
  if (!card) {
    await endWithoutCard(deps, lease, order);
    throw new LeaseLostError();
  }
  publishOrder(pubsub, order);
  return card;
}

async function endWithoutCard({ db, pubsub }: OrderDeps, lease: string, order: ReleasedOrder): Promise<void> {
  // The card never left the vault and no other call gets this far, so the policy's amount is released.
  const endOptions = { lease, columns: { cardReleasedAt: null } };
  const ended = await db.prisma.$transaction(
    (tx) => endOrder(tx, order.id, "card_unavailable", endOptions),
    LONG_TRANSACTION,
  );
  publishOrder(pubsub, ended ?? order);
}
