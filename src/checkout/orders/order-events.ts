import type { PubSub } from "../../platform/pubsub/pubsub.ts";

/** The channel on which an account's orders are announced. */
export function orderChannel(accountId: string): string {
  return `order:${accountId}`;
}

/** Says that an order is new or has moved. The payload is its id: whoever listens reads the row as it then stands. */
export function publishOrder(pubsub: PubSub, { accountId, id }: { accountId: string; id: string }): void {
  pubsub.publish(orderChannel(accountId), id);
}
