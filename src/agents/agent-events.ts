import type { PubSub } from "../platform/pubsub/pubsub.ts";

/** The channel on which an account's agent is announced. */
export function agentChannel(accountId: string): string {
  return `agent:${accountId}`;
}

/** Says that an agent is new or has moved. The payload is its record's id: whoever listens reads the row as it then stands. */
export function publishAgent(pubsub: PubSub, accountId: string, agentRecordId: string): void {
  pubsub.publish(agentChannel(accountId), agentRecordId);
}
