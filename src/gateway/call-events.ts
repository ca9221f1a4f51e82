import type { PubSub } from "../platform/pubsub/pubsub.ts";

/** Returns the pub/sub channel of an account's gateway calls. */
export function callChannel(accountId: string): string {
  return `gateway-call:${accountId}`;
}

/** Publishes that a call was recorded or has ended. The payload is its ID; subscribers read the current row. */
export function publishCall(pubsub: PubSub, accountId: string, callId: string): void {
  pubsub.publish(callChannel(accountId), callId);
}
