import { type TransactionRowFragment, TransactionUpdatesDocument } from "../generated/graphql.ts";
import { useResumableSubscription } from "./use-resumable-subscription.ts";

interface TransactionHandlers {
  onUpdate(transaction: TransactionRowFragment): void;
  onLost(): void;
}

/** Subscribes to updates of the account's transactions while the component is mounted. */
export function useTransactionUpdates({ onUpdate, onLost }: TransactionHandlers): void {
  useResumableSubscription(TransactionUpdatesDocument, {
    onEvent({ transactionUpdated: { cursor, transaction } }) {
      onUpdate(transaction);
      return cursor;
    },
    onLost,
  });
}
