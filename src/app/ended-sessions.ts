import { ENDED_SESSIONS } from "../accounts/sessions.ts";
import type { PubSub } from "../platform/pubsub/pubsub.ts";
import { SubscriptionInterruptedError } from "../platform/pubsub/subscribers.ts";

/** Closes the connections of revoked sessions, regardless of the node that revoked them. Runs until pub/sub closes. */
export async function closeEndedSessions(pubsub: PubSub, disconnect: (sessionId: string) => void): Promise<void> {
  for (let isOpen = true; isOpen; ) {
    try {
      for await (const sessionId of pubsub.subscribe(ENDED_SESSIONS)) disconnect(sessionId);
      isOpen = false;
    } catch (error) {
      // Missed notifications are harmless: the recurring check of open connections finds those sessions.
      if (!(error instanceof SubscriptionInterruptedError)) throw error;
    }
  }
}
