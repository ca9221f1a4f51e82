import { useEffect, useState } from "react";

const UNITS: readonly [unit: Intl.RelativeTimeFormatUnit, ms: number][] = [
  ["year", 31_557_600_000],
  ["month", 2_629_800_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const absolute = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "short" });

/** Formats a time relative to now: "3 minutes ago", "in 2 days". */
export function relativeTime(atMs: number, nowMs: number): string {
  const differenceMs = atMs - nowMs;
  for (const [unit, ms] of UNITS) {
    if (Math.abs(differenceMs) >= ms) return relative.format(Math.trunc(differenceMs / ms), unit);
  }
  return differenceMs > 0 ? "in a moment" : "just now";
}

/** Relative time. The date and time are in the tooltip, and below it with `withDate`. */
export function Time({ at, withDate = false }: { readonly at: string; readonly withDate?: boolean }) {
  const nowMs = useNowMs();
  const date = new Date(at);
  const exact = absolute.format(date);
  return (
    <time dateTime={at} title={exact}>
      {relativeTime(date.getTime(), nowMs)}
      {withDate && <span className="block text-small whitespace-nowrap text-muted">{exact}</span>}
    </time>
  );
}

/** Date and time within a sentence: "3 Dec 2026, 13:52". */
export function DateTime({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} className="whitespace-nowrap">
      {absolute.format(new Date(at))}
    </time>
  );
}

/** Time of day, for times within a day: "15:42". */
export function ClockTime({ at }: { readonly at: string }) {
  const date = new Date(at);
  return (
    <time dateTime={at} title={absolute.format(date)}>
      {clock.format(date)}
    </time>
  );
}

const TICK_MS = 30_000;

function useNowMs(): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return nowMs;
}
