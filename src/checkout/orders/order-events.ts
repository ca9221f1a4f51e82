import type { PubSub } from "../../platform/pubsub/pubsub.ts";

/** Returns the pub/sub channel of an account's orders. */
export function orderChannel(accountId: string): string {
  return `order:${accountId}`;
}

/** Publishes that an order is new or has changed. The payload is its id; subscribers read the current row. */
export function publishOrder(pubsub: PubSub, { accountId, id }: { accountId: string; id: string }): void {
  pubsub.publish(orderChannel(accountId), id);
}
