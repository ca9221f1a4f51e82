import { useEffect, useRef } from "react";
import { type TypedDocumentNode, useClient } from "urql";
import { onEnd, pipe, subscribe } from "wonka";

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;

interface Watcher<Data> {
  /** @returns the event's cursor, from which to go on. */
  onEvent(data: Data): string;
  /** The connection was lost, and is made again: the events meanwhile come after, but ask for all that they do not tell. */
  onLost(): void;
}

/**
 * Watches a subscription for as long as the component is there; after a lost connection, from where it was.
 * @param variables what it is of, besides `after`
 */
export function useResumed<Data, Of extends Record<string, string> = Record<never, string>>(
  document: TypedDocumentNode<Data, Of & { after?: string | null }>,
  watcher: Watcher<Data>,
  variables?: Of,
): void {
  const of = JSON.stringify(variables ?? {});
  const client = useClient();
  const current = useRef(watcher);
  useEffect(() => {
    current.current = watcher;
  });
  useEffect(() => {
    let after: string | null = null;
    let waitMs = FIRST_WAIT_MS;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let hasStopped = false;
    let stop = () => {};
    const watch = () => {
      const subscription = pipe(
        client.subscription(document, { ...(JSON.parse(of) as Of), after }),
        onEnd(() => {
          if (hasStopped) return;
          timer = setTimeout(resume, waitMs * (0.5 + Math.random()));
          waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
        }),
        subscribe(({ data }) => {
          if (!data) return;
          waitMs = FIRST_WAIT_MS;
          after = current.current.onEvent(data);
        }),
      );
      stop = () => subscription.unsubscribe();
    };
    const resume = () => {
      watch();
      current.current.onLost();
    };
    watch();
    return () => {
      hasStopped = true;
      clearTimeout(timer);
      stop();
    };
  }, [client, document, of]);
}
