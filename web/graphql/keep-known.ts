/** What is known of a query stays on the page where asking anew finds nobody; it is asked for again until an answer comes. */
import { useSyncExternalStore } from "react";
import { type Exchange, makeOperation, type Operation } from "urql";
import { map, pipe, tap } from "wonka";

const AGAIN_MS = 5_000;

const known = new Map<number, unknown>();
/** The queries whose answer on the page may be old. */
const old = new Map<number, Operation>();
const listeners = new Set<() => void>();

/** Whether something on the page was asked for anew in vain. */
export const useIsOld = () => useSyncExternalStore(listen, () => old.size > 0);

export const keepKnown: Exchange =
  ({ client, forward }) =>
  (operations) => {
    /** What no page shows any more; to ask anew is to leave and to come back. */
    const left = new Set<number>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    return pipe(
      operations,
      tap(({ kind, key }) => void (kind === "teardown" ? left.add(key) : left.delete(key))),
      forward,
      map((result) => {
        const { operation, data, error, stale } = result;
        const { kind, key } = operation;
        if (kind !== "query") return result;
        if (data !== undefined) {
          known.set(key, data);
          if (!stale) setOld(key, null);
          return result;
        }
        if (!error?.networkError || !known.has(key)) return result;
        setOld(key, operation);
        if (timer === undefined) timer = setTimeout(askAgain, AGAIN_MS * (0.5 + Math.random()));
        return { ...result, data: known.get(key) };
      }),
    );

    function askAgain() {
      timer = undefined;
      for (const [key, operation] of old) {
        const context = { ...operation.context, requestPolicy: "network-only" } as const;
        if (left.has(key)) setOld(key, null);
        else client.reexecuteOperation(makeOperation("query", operation, context));
      }
    }
  };

function setOld(key: number, operation: Operation | null): void {
  const wereOld = old.size;
  if (operation) old.set(key, operation);
  else old.delete(key);
  if (old.size !== wereOld) for (const tell of listeners) tell();
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
