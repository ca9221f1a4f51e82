import { useCallback, useState } from "react";
import { type OrderDetailsFragment, OrderDocument, OrderMovesDocument } from "../../generated/graphql.ts";
import type { Failure } from "../../graphql/match-result.ts";
import { useReading } from "../../graphql/use-reading.ts";
import { useResumed } from "../../graphql/use-resumed.ts";

export interface FollowedOrder {
  /** As it now stands; null when there is none of the account's; undefined while that is not known. */
  readonly order: OrderDetailsFragment | null | undefined;
  readonly failure: Failure | null;
  again(): void;
}

/** An order as it moves. */
export function useOrder(orderId: string): FollowedOrder {
  const reading = useReading({ query: OrderDocument, variables: { orderId } }, ({ viewer }) => viewer?.order);
  const { shown: asked, failure, again: refresh } = reading;
  const [moved, setMoved] = useState<OrderDetailsFragment | null>(null);
  const again = useCallback(() => {
    // What is asked for anew is newer than what was heard.
    setMoved(null);
    refresh();
  }, [refresh]);
  useResumed(
    OrderMovesDocument,
    {
      onEvent({ orderUpdated: { cursor, order } }) {
        setMoved(order);
        return cursor;
      },
      onLost: again,
    },
    { id: orderId },
  );
  return { order: moved?.orderId === orderId ? moved : asked, failure, again };
}
