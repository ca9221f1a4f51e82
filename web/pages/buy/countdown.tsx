import { useEffect, useState } from "react";

/** Remaining minutes and seconds. Calls `onExpired` once at zero. */
export function Countdown({ until, onExpired }: { readonly until: string; readonly onExpired: () => void }) {
  const endsAtMs = Date.parse(until);
  const [leftMs, setLeftMs] = useState(() => endsAtMs - Date.now());
  const isExpired = leftMs <= 0;
  useEffect(() => {
    if (isExpired) return onExpired();
    const timer = setInterval(() => setLeftMs(endsAtMs - Date.now()), 500);
    return () => clearInterval(timer);
  }, [isExpired, endsAtMs, onExpired]);
  const seconds = Math.max(0, Math.ceil(leftMs / 1_000));
  return (
    <span role="timer" className="figures text-lead font-semibold">
      {Math.floor(seconds / 60)}:{String(seconds % 60).padStart(2, "0")}
    </span>
  );
}
