import type { PubSub } from "../platform/pubsub/pubsub.ts";

/** Returns the pub/sub channel for changes of an account's trades. */
export function tradeChannel(accountId: string): string {
  return `trade:${accountId}`;
}

/** Publishes that a trade was created or changed. The payload is the trade's id; subscribers read its current state. */
export function publishTrade(pubsub: PubSub, accountId: string, tradeId: string): void {
  pubsub.publish(tradeChannel(accountId), tradeId);
}
