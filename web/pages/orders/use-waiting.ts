import { useCallback } from "react";
import { useQuery } from "urql";
import { type OrderRowFragment, OrdersMovesDocument, WaitingOrdersDocument } from "../../generated/graphql.ts";
import { useResumed } from "../../graphql/use-resumed.ts";
import { waitsForPerson } from "./order-words.ts";

/** The orders that wait for their person, newest first. The dashboard's frame watches them; pages share what it knows. */
export function useWaiting() {
  const [{ data }, refresh] = useQuery({ query: WaitingOrdersDocument });
  const again = useCallback(() => refresh({ requestPolicy: "network-only" }), [refresh]);
  return { orders: ordersOf(data?.viewer?.orders.edges), again };
}

/** The same, asked for again whenever one comes, moves or goes. */
export function useWatchedWaiting(): readonly OrderRowFragment[] {
  const [{ data }, refresh] = useQuery({ query: WaitingOrdersDocument, requestPolicy: "cache-and-network" });
  const orders = ordersOf(data?.viewer?.orders.edges);
  const again = () => refresh({ requestPolicy: "network-only" });
  useResumed(OrdersMovesDocument, {
    onEvent({ ordersUpdated: { cursor, order } }) {
      // Most moves are steps of orders that nobody waits for.
      if (waitsForPerson(order) || orders.some(({ id }) => id === order.id)) again();
      return cursor;
    },
    onLost: again,
  });
  return orders;
}

function ordersOf(edges: readonly { readonly node: OrderRowFragment }[] = []): readonly OrderRowFragment[] {
  return edges.map(({ node }) => node);
}
