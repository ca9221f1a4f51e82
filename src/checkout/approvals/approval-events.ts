import type { PubSub } from "../../platform/pubsub/pubsub.ts";

/** Returns the pub/sub channel of an account's requested approvals. */
export function approvalChannel(accountId: string): string {
  return `approval:${accountId}`;
}

/** Publishes that an approval was requested. The payload is its id; subscribers read the row. */
export function publishApproval(pubsub: PubSub, { accountId, id }: { accountId: string; id: string }): void {
  pubsub.publish(approvalChannel(accountId), id);
}
