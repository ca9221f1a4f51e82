import { useEffect, useRef, useState } from "react";
import { MailUpdatesDocument } from "../../generated/graphql.ts";
import { useResumableSubscription } from "../../graphql/use-resumable-subscription.ts";

/** Delay in which changed messages are batched into one refresh, in milliseconds. */
const BATCH_DELAY_MS = 250;

/**
 * Subscribes to mailbox updates while the component is mounted.
 * @param onChanged called with the affected thread ids, at most once per batch. An empty set means that updates were
 * missed.
 * @returns a version that increases when lists must be fetched again
 */
export function useMailUpdates(onChanged: (threadIds: ReadonlySet<string>) => void): number {
  const [version, setVersion] = useState(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const changedIds = useRef(new Set<string>());
  const callback = useRef(onChanged);
  useEffect(() => {
    callback.current = onChanged;
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  function scheduleRefresh() {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      const threadIds = changedIds.current;
      changedIds.current = new Set();
      callback.current(threadIds);
      setVersion((last) => last + 1);
    }, BATCH_DELAY_MS);
  }
  useResumableSubscription(MailUpdatesDocument, {
    onEvent({ mailUpdated: { cursor, message } }) {
      changedIds.current.add(message.thread.threadId);
      scheduleRefresh();
      return cursor;
    },
    onLost: scheduleRefresh,
  });
  return version;
}
