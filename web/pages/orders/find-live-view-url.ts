import type { Client } from "urql";
import { OrderLiveViewDocument } from "../../generated/graphql.ts";

/** The signed address for whoever is signed in, made anew; null when the order is not theirs, or has ended. @throws while out of reach */
export async function findLiveViewUrl(client: Client, orderId: string): Promise<string | null> {
  const { data, error } = await client
    .query(OrderLiveViewDocument, { orderId }, { requestPolicy: "network-only" })
    .toPromise();
  if (error?.networkError) throw error.networkError;
  return data?.viewer?.order?.liveViewUrl ?? null;
}
