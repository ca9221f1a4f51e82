import type { Client } from "urql";
import { OrderLiveViewDocument } from "../../generated/graphql.ts";

/**
 * Fetches a new signed live-view URL for the signed-in account. Returns null if the order belongs to another account or
 * has ended. @throws if Satchel is unreachable
 */
export async function findLiveViewUrl(client: Client, orderId: string): Promise<string | null> {
  const { data, error } = await client
    .query(OrderLiveViewDocument, { id: orderId }, { requestPolicy: "network-only" })
    .toPromise();
  if (error?.networkError) throw error.networkError;
  return data?.checkoutOrder?.liveViewUrl ?? null;
}
