import type { PubSub } from "../platform/pubsub/pubsub.ts";

/** Returns the pub/sub channel for changes of an account's ledger rows. */
export function transactionChannel(accountId: string): string {
  return `transaction:${accountId}`;
}

/** Publishes that a ledger row was created or changed. The payload is the row's id; subscribers read its current state. */
export function publishTransaction(pubsub: PubSub, accountId: string, transactionId: string): void {
  pubsub.publish(transactionChannel(accountId), transactionId);
}
