import type { PubSub } from "../../platform/pubsub/pubsub.ts";

/** Returns the pub/sub channel for changes of an account's exports. */
export function exportChannel(accountId: string): string {
  return `account-exports:${accountId}`;
}

/** Publishes that an export has changed. The payload is its id; subscribers read the current row. */
export function publishExport(pubsub: PubSub, accountId: string, exportId: string): void {
  pubsub.publish(exportChannel(accountId), exportId);
}
