import type { PubSub } from "../platform/pubsub/pubsub.ts";

/** The channel on which an account's messages are announced. */
export function mailChannel(accountId: string): string {
  return `mail:${accountId}`;
}

/** Says that a message is new or has moved. The payload is its id: whoever listens reads the row as it then stands. */
export function publishMail(pubsub: PubSub, accountId: string, messageId: string): void {
  pubsub.publish(mailChannel(accountId), messageId);
}
