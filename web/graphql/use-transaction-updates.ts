import { useEffect, useRef } from "react";
import { useClient } from "urql";
import { onEnd, pipe, subscribe } from "wonka";
import { type TransactionRowFragment, TransactionUpdatesDocument } from "../generated/graphql.ts";

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;

interface Watcher {
  onUpdate(transaction: TransactionRowFragment): void;
  /** The connection was lost: what moved meanwhile comes after, but ask again for all that is not a transaction. */
  onLost(): void;
}

/** Watches the account's transactions for as long as the component is there; after a lost connection, from where it was. */
export function useTransactionUpdates(watcher: Watcher): void {
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
        client.subscription(TransactionUpdatesDocument, { after }),
        onEnd(() => {
          if (hasStopped) return;
          timer = setTimeout(watch, waitMs * (0.5 + Math.random()));
          waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
          current.current.onLost();
        }),
        subscribe(({ data }) => {
          if (!data) return;
          waitMs = FIRST_WAIT_MS;
          after = data.transactionUpdated.cursor;
          current.current.onUpdate(data.transactionUpdated.transaction);
        }),
      );
      stop = () => subscription.unsubscribe();
    };
    watch();
    return () => {
      hasStopped = true;
      clearTimeout(timer);
      stop();
    };
  }, [client]);
}
