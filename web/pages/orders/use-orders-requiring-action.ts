import { useCallback } from "react";
import { useQuery } from "urql";
import { type OrderRowFragment, OrdersMovesDocument, WaitingOrdersDocument } from "../../generated/graphql.ts";
import { nodesOf } from "../../graphql/nodes.ts";
import { useResumableSubscription } from "../../graphql/use-resumable-subscription.ts";
import { needsAccountOwner } from "./order-labels.ts";

/** Returns the orders that need the account owner, newest first. The dashboard frame watches them and pages share its cache. */
export function useOrdersRequiringAction() {
  const [{ data }, refresh] = useQuery({ query: WaitingOrdersDocument });
  const again = useCallback(() => refresh({ requestPolicy: "network-only" }), [refresh]);
  return { orders: nodesOf(data?.viewer?.orders), again };
}

/** Returns the orders that need the account owner and refreshes them on each change. */
export function useLiveOrdersRequiringAction(): readonly OrderRowFragment[] {
  const [{ data }, refresh] = useQuery({ query: WaitingOrdersDocument, requestPolicy: "cache-and-network" });
  const orders = nodesOf(data?.viewer?.orders);
  const again = () => refresh({ requestPolicy: "network-only" });
  useResumableSubscription(OrdersMovesDocument, {
    onEvent({ orderUpdated: { cursor, order } }) {
      // Most updates are steps of orders that need no action.
      if (needsAccountOwner(order) || orders.some(({ id }) => id === order.id)) again();
      return cursor;
    },
    onLost: again,
  });
  return orders;
}
