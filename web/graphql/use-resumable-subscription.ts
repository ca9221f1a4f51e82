import { useEffect, useRef } from "react";
import { type TypedDocumentNode, useClient } from "urql";
import { onEnd, pipe, subscribe } from "wonka";

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;

interface SubscriptionHandlers<Data> {
  /** @returns the cursor of the event, from which the subscription resumes. */
  onEvent(data: Data): string;
  /** Called on reconnection after a lost connection. Missed events follow. Query again the data that events do not contain. */
  onLost(): void;
}

/**
 * Subscribes while the component is mounted. After a lost connection it resumes from the last cursor.
 * @param variables variables besides `after`
 */
export function useResumableSubscription<Data, Variables extends Record<string, string> = Record<never, string>>(
  document: TypedDocumentNode<Data, Variables & { after?: string | null }>,
  handlers: SubscriptionHandlers<Data>,
  variables?: Variables,
): void {
  const variablesJson = JSON.stringify(variables ?? {});
  const client = useClient();
  const handlersRef = useRef(handlers);
  useEffect(() => {
    handlersRef.current = handlers;
  });
  useEffect(() => {
    let after: string | null = null;
    let waitMs = FIRST_WAIT_MS;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isUnmounted = false;
    let stop = () => {};
    const subscribeNow = () => {
      const subscription = pipe(
        client.subscription(document, { ...(JSON.parse(variablesJson) as Variables), after }),
        onEnd(() => {
          if (isUnmounted) return;
          timer = setTimeout(resume, waitMs * (0.5 + Math.random()));
          waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
        }),
        subscribe(({ data, error }) => {
          // An `error` message ends the subscription, but urql does not end its source. Unlike errors of a field, it has no path.
          if (error && !error.graphQLErrors.some(({ path }) => path)) return stop();
          if (!data) return;
          waitMs = FIRST_WAIT_MS;
          after = handlersRef.current.onEvent(data);
        }),
      );
      stop = () => subscription.unsubscribe();
    };
    const resume = () => {
      subscribeNow();
      handlersRef.current.onLost();
    };
    subscribeNow();
    return () => {
      isUnmounted = true;
      clearTimeout(timer);
      stop();
    };
  }, [client, document, variablesJson]);
}
