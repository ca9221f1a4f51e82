import { useCallback, useState } from "react";
import { useQuery } from "urql";
import { type OrderDetailsFragment, OrderDocument, OrderMovesDocument } from "../../generated/graphql.ts";
import { isSignedOut } from "../../graphql/client.ts";
import type { Failure } from "../../graphql/match-result.ts";
import { transportFailure } from "../../graphql/use-operation.ts";
import { useResumed } from "../../graphql/use-resumed.ts";

export interface FollowedOrder {
  /** As it now stands; null when there is none of the account's; undefined while that is not known. */
  readonly order: OrderDetailsFragment | null | undefined;
  readonly failure: Failure | null;
  again(): void;
}

/** An order as it moves. */
export function useOrder(orderId: string): FollowedOrder {
  const [{ data, error }, refresh] = useQuery({
    query: OrderDocument,
    variables: { orderId },
    requestPolicy: "cache-and-network",
  });
  const [moved, setMoved] = useState<OrderDetailsFragment | null>(null);
  const again = useCallback(() => {
    // What is asked for anew is newer than what was heard.
    setMoved(null);
    refresh({ requestPolicy: "network-only" });
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
  const asked = data?.viewer?.order;
  return {
    order: moved?.orderId === orderId ? moved : asked,
    failure: error && asked === undefined && !isSignedOut(error) ? transportFailure(error) : null,
    again,
  };
}
