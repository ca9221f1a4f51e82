import type { PubSub } from "../platform/pubsub/pubsub.ts";

/** The channel on which an account's ledger rows are announced. */
export function transactionChannel(accountId: string): string {
  return `transaction:${accountId}`;
}

/** Says that a ledger row is new or has moved. The payload is its id: whoever listens reads the row as it then stands. */
export function publishTransaction(pubsub: PubSub, accountId: string, transactionId: string): void {
  pubsub.publish(transactionChannel(accountId), transactionId);
}
