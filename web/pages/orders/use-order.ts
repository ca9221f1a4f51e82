import { useCallback, useState } from "react";
import { type OrderDetailsFragment, OrderDocument, OrderMovesDocument } from "../../generated/graphql.ts";
import type { Failure } from "../../graphql/match-result.ts";
import { useReading } from "../../graphql/use-reading.ts";
import { useResumableSubscription } from "../../graphql/use-resumable-subscription.ts";

export interface FollowedOrder {
  /** Current order. Null if the account has no such order, undefined while loading. */
  readonly order: OrderDetailsFragment | null | undefined;
  readonly failure: Failure | null;
  again(): void;
}

/** Returns an order with live updates. */
export function useOrder(orderId: string): FollowedOrder {
  const reading = useReading(
    { query: OrderDocument, variables: { id: orderId } },
    ({ checkoutOrder }) => checkoutOrder,
  );
  const { shown: fetched, failure, again: refresh } = reading;
  const [updated, setUpdated] = useState<OrderDetailsFragment | null>(null);
  const again = useCallback(() => {
    // The refreshed order is newer than the last update.
    setUpdated(null);
    refresh();
  }, [refresh]);
  useResumableSubscription(
    OrderMovesDocument,
    {
      onEvent({ orderUpdated: { cursor, order } }) {
        setUpdated(order);
        return cursor;
      },
      onLost: again,
    },
    { id: orderId },
  );
  return { order: updated?.orderId === orderId ? updated : fetched, failure, again };
}
