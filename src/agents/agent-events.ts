import type { PubSub } from "../platform/pubsub/pubsub.ts";

/** Returns the pub/sub channel for changes of an account's agent. */
export function agentChannel(accountId: string): string {
  return `agent:${accountId}`;
}

/** Announces that an agent was created or changed. The payload is its record id; subscribers read the current row. */
export function publishAgent(pubsub: PubSub, accountId: string, agentRecordId: string): void {
  pubsub.publish(agentChannel(accountId), agentRecordId);
}
