import type { PubSub } from "../platform/pubsub/pubsub.ts";

/** Returns the pub/sub channel for changes of an account's messages. */
export function mailChannel(accountId: string): string {
  return `mail:${accountId}`;
}

/** Publishes that a message is new or has changed. The payload is the message id; subscribers read the current row. */
export function publishMail(pubsub: PubSub, accountId: string, messageId: string): void {
  pubsub.publish(mailChannel(accountId), messageId);
}
