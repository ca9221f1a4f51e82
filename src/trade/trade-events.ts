import type { PubSub } from "../platform/pubsub/pubsub.ts";

/** The channel on which an account's trades are announced. */
export function tradeChannel(accountId: string): string {
  return `trade:${accountId}`;
}

/** Says that a trade is new or has moved. The payload is its id: whoever listens reads the row as it then stands. */
export function publishTrade(pubsub: PubSub, accountId: string, tradeId: string): void {
  pubsub.publish(tradeChannel(accountId), tradeId);
}
