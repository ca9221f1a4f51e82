import { useCallback } from "react";
import { useQuery } from "urql";
import { ApprovalOrderMovesDocument, PurchaseApprovalDocument } from "../../generated/graphql.ts";
import { useResumableSubscription } from "../../graphql/use-resumable-subscription.ts";

/** Returns the approval and refreshes it on updates of its order, because another browser may decide it. */
export function useApproval(id: string) {
  const [{ data, error, fetching }, refresh] = useQuery({
    query: PurchaseApprovalDocument,
    variables: { id },
    requestPolicy: "cache-and-network",
  });
  const again = useCallback(() => refresh({ requestPolicy: "network-only" }), [refresh]);
  const approval = data?.purchaseApproval;
  const orderId = (approval?.document as { readonly order_id?: unknown } | undefined)?.order_id;
  useResumableSubscription(ApprovalOrderMovesDocument, {
    onEvent({ orderUpdated: { cursor, order } }) {
      if (order.orderId === orderId) again();
      return cursor;
    },
    onLost: again,
  });
  return { viewer: data?.viewer, approval, error, fetching, again };
}
