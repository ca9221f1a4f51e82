import type { PubSub } from "../platform/pubsub/pubsub.ts";

/** The channel on which an account's gateway calls are announced. */
export function callChannel(accountId: string): string {
  return `gateway-call:${accountId}`;
}

/** Says that a call is on record or has ended. The payload is its id: whoever listens reads the row as it then stands. */
export function publishCall(pubsub: PubSub, accountId: string, callId: string): void {
  pubsub.publish(callChannel(accountId), callId);
}
