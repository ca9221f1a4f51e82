import { useEffect, useRef, useState } from "react";
import { MailUpdatesDocument } from "../../generated/graphql.ts";
import { useResumed } from "../../graphql/use-resumed.ts";

/** Many messages that move at once are looked at once. */
const GATHERED_MS = 250;

/**
 * Watches the mailbox for as long as the component is there.
 * @param onMoved told shortly after messages came or moved
 * @returns a number that changes whenever lists have to be asked for again
 */
export function useMailUpdates(onMoved: (threadIds: ReadonlySet<string>) => void): number {
  const [version, setVersion] = useState(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const moved = useRef(new Set<string>());
  const told = useRef(onMoved);
  useEffect(() => {
    told.current = onMoved;
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  function gather() {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      const threadIds = moved.current;
      moved.current = new Set();
      told.current(threadIds);
      setVersion((last) => last + 1);
    }, GATHERED_MS);
  }
  useResumed(MailUpdatesDocument, {
    onEvent({ mailUpdated: { cursor, message } }) {
      moved.current.add(message.thread.threadId);
      gather();
      return cursor;
    },
    onLost: gather,
  });
  return version;
}
