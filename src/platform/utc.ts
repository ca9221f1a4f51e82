/** Days and months in UTC, regardless of the machine's time zone. */

/** Returns the UTC day, such as `2026-11-20`. */
export function utcDay(at: Date): string {
  return at.toISOString().slice(0, 10);
}

/** Returns the first day of the UTC month, such as `2026-11-01`. */
export function utcMonth(at: Date): string {
  return `${at.toISOString().slice(0, 7)}-01`;
}

/** Period of a new counter. In the past, because the database's clock decides the day and a node's clock may be ahead of it. */
export const NO_PERIOD = { day: new Date(0), month: new Date(0) } as const;
