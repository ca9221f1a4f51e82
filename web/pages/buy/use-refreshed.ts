import { useEffect } from "react";
import { useTransactionUpdates } from "../../graphql/use-transaction-updates.ts";

/** Also without a socket a page finds out, only later. */
const POLL_MS = 5_000;

/** Calls `refresh` whenever a payment of the account moves, and now and then, until `isOver`. */
export function useRefreshed(refresh: () => void, isOver: boolean): void {
  const refreshUnlessOver = () => void (isOver || refresh());
  useTransactionUpdates({ onUpdate: refreshUnlessOver, onLost: refreshUnlessOver });
  useEffect(() => {
    if (isOver) return;
    const timer = setInterval(refresh, POLL_MS);
    return () => clearInterval(timer);
  }, [isOver, refresh]);
}
