/** Days and months are UTC everywhere, whatever the machine's time zone. */

/** `2026-11-20`, the UTC day. */
export function utcDay(at: Date): string {
  return at.toISOString().slice(0, 10);
}

/** `2026-11-01`, the first day of the UTC month. */
export function utcMonth(at: Date): string {
  return `${at.toISOString().slice(0, 7)}-01`;
}

/** Of a counter that has counted nothing yet. The database says which day it is: where a node's clock is ahead, its own would not have come. */
export const NO_PERIOD = { day: new Date(0), month: new Date(0) } as const;
