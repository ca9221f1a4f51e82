/**
 * Cancellations of calls by `notifications/cancelled`. Clients of revisions before 2026-07-28 send it when a call times out. They send
 * it in a request of its own and leave the stream of the call open. The response is then written to a client that no longer reads it.
 * It does not count as delivered: an equal call repeats the payment.
 *
 * A call is identified by its budget and its JSON-RPC id. Clients that share a token may use equal ids, so the call continues, and
 * its response is written. If it belongs to another client, an equal call of that client repeats the payment instead of buying again.
 */
import { createHash } from "node:crypto";
import type { PubSub } from "../src/platform/pubsub/pubsub.ts";
import { SubscriptionInterruptedError } from "../src/platform/pubsub/subscribers.ts";
import { formatId, type RequestId } from "./batches.ts";

/** Pub/sub channel of cancellations. */
export const CANCELLED_CALLS = "mcp-cancelled-calls";

/** Delivery of one call's response. */
export interface CallDelivery {
  /** Resolves with whether the whole response was written to a client that still awaited it. Never rejects. */
  readonly delivered: Promise<boolean>;
  /** Marks the result as complete. A call whose HTTP response ended before was not delivered. */
  complete(): void;
}

export interface Cancellations {
  /** Reports to all nodes that the client no longer awaits a call. */
  cancel(budgetId: string, id: RequestId): void;
  /** @param written resolves with whether the HTTP response was written completely; never rejects */
  watch(budgetId: string, id: RequestId, written: Promise<boolean>): CallDelivery;
}

interface WatchedCall {
  isCancelled: boolean;
}

export function createCancellations(pubsub: Pick<PubSub, "publish" | "subscribe">): Cancellations {
  const calls = new Map<string, Set<WatchedCall>>();
  void receiveCancelled(pubsub, (key) => {
    for (const call of calls.get(key) ?? []) call.isCancelled = true;
  });
  return {
    cancel: (budgetId, id) => pubsub.publish(CANCELLED_CALLS, keyOf(budgetId, id)),
    watch(budgetId, id, written) {
      const key = keyOf(budgetId, id);
      const call: WatchedCall = { isCancelled: false };
      const equal = calls.get(key) ?? new Set();
      calls.set(key, equal.add(call));
      let isComplete = false;
      const delivered = written.then((wasWritten) => {
        equal.delete(call);
        if (equal.size === 0 && calls.get(key) === equal) calls.delete(key);
        return wasWritten && isComplete && !call.isCancelled;
      });
      return {
        delivered,
        complete() {
          isComplete = true;
        },
      };
    },
  };
}

/** A digest, since ids have any length. */
function keyOf(budgetId: string, id: RequestId): string {
  return createHash("sha256")
    .update(`${budgetId} ${formatId(id)}`)
    .digest("base64url");
}

/** Runs until pub/sub closes. */
async function receiveCancelled(pubsub: Pick<PubSub, "subscribe">, onCancelled: (key: string) => void): Promise<void> {
  for (let isOpen = true; isOpen; ) {
    try {
      for await (const key of pubsub.subscribe(CANCELLED_CALLS)) onCancelled(key);
      isOpen = false;
    } catch (error) {
      // The response of a call whose cancellation was missed counts as delivered once it is written.
      if (!(error instanceof SubscriptionInterruptedError)) throw error;
    }
  }
}
