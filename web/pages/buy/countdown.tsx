import { useEffect, useState } from "react";

/** Minutes and seconds that are left; tells once when there are none. */
export function Countdown({ until, onOver }: { readonly until: string; readonly onOver: () => void }) {
  const endsAtMs = Date.parse(until);
  const [leftMs, setLeftMs] = useState(() => endsAtMs - Date.now());
  const isOver = leftMs <= 0;
  useEffect(() => {
    if (isOver) return onOver();
    const timer = setInterval(() => setLeftMs(endsAtMs - Date.now()), 500);
    return () => clearInterval(timer);
  }, [isOver, endsAtMs, onOver]);
  const seconds = Math.max(0, Math.ceil(leftMs / 1_000));
  return (
    <span role="timer" className="figures text-lead font-semibold">
      {Math.floor(seconds / 60)}:{String(seconds % 60).padStart(2, "0")}
    </span>
  );
}
