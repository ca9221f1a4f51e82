import type { PubSub } from "../platform/pubsub/pubsub.ts";

/** Prefix of the channels of deliveries. */
export const DELIVERY_CHANNEL = "mail-delivery";

/** Returns the pub/sub channel for changes of an account's messages. */
export function mailChannel(accountId: string): string {
  return `mail:${accountId}`;
}

/** Publishes that a message is new or has changed. The payload is the message id; subscribers read the current row. */
export function publishMail(pubsub: PubSub, accountId: string, messageId: string): void {
  pubsub.publish(mailChannel(accountId), messageId);
}

/** Returns the pub/sub channel for changes of the deliveries of an account's messages. */
export function deliveryChannel(accountId: string): string {
  return `${DELIVERY_CHANNEL}:${accountId}`;
}

/** Publishes that the state of a recipient's delivery has changed. The payload is the delivery's id. */
export function publishDelivery(pubsub: PubSub, accountId: string, deliveryId: string): void {
  pubsub.publish(deliveryChannel(accountId), deliveryId);
}
