import { useEffect } from "react";
import { useTransactionUpdates } from "../../graphql/use-transaction-updates.ts";

/** Polling interval in case live updates are interrupted, in milliseconds. */
const POLL_MS = 5_000;

/** Calls `refresh` on each update of a transaction and at an interval, until `isFinal`. */
export function useRefreshed(refresh: () => void, isFinal: boolean): void {
  const refreshUnlessFinal = () => void (isFinal || refresh());
  useTransactionUpdates({ onUpdate: refreshUnlessFinal, onLost: refreshUnlessFinal });
  useEffect(() => {
    if (isFinal) return;
    const timer = setInterval(refresh, POLL_MS);
    return () => clearInterval(timer);
  }, [isFinal, refresh]);
}
