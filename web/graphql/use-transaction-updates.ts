import { type TransactionRowFragment, TransactionUpdatesDocument } from "../generated/graphql.ts";
import { useResumed } from "./use-resumed.ts";

interface Watcher {
  onUpdate(transaction: TransactionRowFragment): void;
  onLost(): void;
}

/** Watches the account's transactions for as long as the component is there. */
export function useTransactionUpdates({ onUpdate, onLost }: Watcher): void {
  useResumed(TransactionUpdatesDocument, {
    onEvent({ transactionUpdated: { cursor, transaction } }) {
      onUpdate(transaction);
      return cursor;
    },
    onLost,
  });
}
