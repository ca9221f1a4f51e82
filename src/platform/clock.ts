/** Days and months are UTC everywhere, whatever the machine's time zone. */

/** `2026-11-20`, the UTC day. */
export function utcDay(at: Date): string {
  return at.toISOString().slice(0, 10);
}

/** `2026-11-01`, the first day of the UTC month. */
export function utcMonth(at: Date): string {
  return `${at.toISOString().slice(0, 7)}-01`;
}
