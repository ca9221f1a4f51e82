/** Shows the last result of a query if a repeated request fails with a network error, and retries until a response arrives. */
import { useSyncExternalStore } from "react";
import { type Exchange, makeOperation, type Operation } from "urql";
import { map, pipe, tap } from "wonka";

const RETRY_MS = 5_000;

const lastResults = new Map<number, unknown>();
/** Queries whose result on the page may be stale. */
const staleQueries = new Map<number, Operation>();
const listeners = new Set<() => void>();

/** Returns whether any result on the page may be stale. */
export const useHasStaleData = () => useSyncExternalStore(listen, () => staleQueries.size > 0);

export const staleIfErrorExchange: Exchange =
  ({ client, forward }) =>
  (operations) => {
    /** Keys of queries that no page shows any more. Repeating a query adds its key and removes it at once. */
    const inactiveKeys = new Set<number>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    return pipe(
      operations,
      tap(({ kind, key }) => void (kind === "teardown" ? inactiveKeys.add(key) : inactiveKeys.delete(key))),
      forward,
      map((result) => {
        const { operation, data, error, stale } = result;
        const { kind, key } = operation;
        if (kind !== "query") return result;
        if (data !== undefined) {
          lastResults.set(key, data);
          if (!stale) setStale(key, null);
          return result;
        }
        if (!error?.networkError || !lastResults.has(key)) return result;
        setStale(key, operation);
        if (timer === undefined) timer = setTimeout(retryStaleQueries, RETRY_MS * (0.5 + Math.random()));
        return { ...result, data: lastResults.get(key) };
      }),
    );

    function retryStaleQueries() {
      timer = undefined;
      for (const [key, operation] of staleQueries) {
        const context = { ...operation.context, requestPolicy: "network-only" } as const;
        if (inactiveKeys.has(key)) setStale(key, null);
        else client.reexecuteOperation(makeOperation("query", operation, context));
      }
    }
  };

function setStale(key: number, operation: Operation | null): void {
  const previousCount = staleQueries.size;
  if (operation) staleQueries.set(key, operation);
  else staleQueries.delete(key);
  if (staleQueries.size !== previousCount) for (const notify of listeners) notify();
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
