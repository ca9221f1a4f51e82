/** Times of calendars: wall-clock times in time zones that have a name, or that the calendar defines. */
import { DateTime, IANAZone } from "luxon";

export interface WallTime {
  /** `2026-12-01T10:00:00`, or `2026-12-01`. */
  readonly text: string;
  readonly isDate: boolean;
  readonly isUtc: boolean;
  /** Milliseconds since 1970 as if the wall-clock time was in UTC. */
  readonly wallMs: number;
  /** Returns a later time; null if it cannot be represented. */
  add(seconds: number): WallTime | null;
}

/** A rule of a time zone: `STANDARD` or `DAYLIGHT` in `VTIMEZONE`. */
export interface Observance {
  readonly start: WallTime;
  readonly rule: string;
  /** `+01:00` */
  readonly offsetFrom: string;
  readonly offsetTo: string;
  /** IANA name of the zone; empty if unknown. */
  readonly location: string;
}

const TIME = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}:\d{2})(Z?))?$/;

/** Reads a time in jCal's form (RFC 7265, section 3.6.5). Null if it is none. */
export function readWallTime(value: unknown): WallTime | null {
  const [, date = "", time, utc = ""] = typeof value === "string" ? (TIME.exec(value) ?? []) : [];
  const at = DateTime.fromISO(`${date}T${time?.replace(":60", ":59") ?? "00:00:00"}Z`, { zone: "utc" });
  return date !== "" && at.isValid ? toWallTime(at.toMillis(), time === undefined, utc !== "") : null;
}

function toWallTime(wallMs: number, isDate: boolean, isUtc: boolean): WallTime | null {
  const at = DateTime.fromMillis(wallMs, { zone: "utc" });
  if (!at.isValid || at.year < 1 || at.year > 9999) return null;
  const text = at.toFormat(isDate ? "yyyy-MM-dd" : "yyyy-MM-dd'T'HH:mm:ss");
  return { text, isDate, isUtc, wallMs, add: (seconds) => toWallTime(wallMs + seconds * 1_000, isDate, isUtc) };
}

/**
 * Returns the instant as ISO 8601 in UTC; of a date, midnight UTC. Null if the zone is unknown.
 * @param zone its name; null for a time without zone
 * @param zones zones that the calendar defines
 */
export function toInstant(
  time: WallTime,
  zone: string | null,
  zones: ReadonlyMap<string, readonly Observance[]>,
): string | null {
  const at = (ms: number) => new Date(ms).toISOString();
  if (time.isDate || time.isUtc) return at(time.wallMs);
  if (zone === null) return null;
  const observances = zones.get(zone) ?? [];
  const name = [zone, observances[0]?.location ?? ""].map(findName).find((one) => one !== null);
  if (name) return DateTime.fromISO(time.text, { zone: name }).toUTC().toISO();
  const offsetMs = findOffsetMs(observances, time.wallMs);
  return offsetMs === null ? null : at(time.wallMs - offsetMs);
}

/** Returns the IANA name of a zone. Some programs precede it with their own, such as `/example.org/Europe/Berlin`. */
function findName(zone: string): string | null {
  const parts = zone.split("/");
  return (
    [zone, parts.slice(-2).join("/"), parts.slice(-3).join("/")].find((name) => IANAZone.isValidZone(name)) ?? null
  );
}

/** Returns the offset of the observance that began last before a wall-clock time. */
function findOffsetMs(observances: readonly Observance[], wallMs: number): number | null {
  let begun = { atMs: Number.NEGATIVE_INFINITY, offset: observances[0]?.offsetFrom ?? "" };
  for (const { start, rule, offsetTo } of observances) {
    const atMs = findOnset(start.wallMs, rule, wallMs);
    if (atMs !== null && atMs > begun.atMs) begun = { atMs, offset: offsetTo };
  }
  return parseOffset(begun.offset);
}

/** Only the form of rules that time zones have: a weekday of a month. Another one counts as its first onset. */
const RULE = /^(?=.*FREQ=YEARLY)(?=.*BYMONTH=(\d{1,2})(?:;|$))(?=.*BYDAY=([+-]?[1-5])(SU|MO|TU|WE|TH|FR|SA)(?:;|$))/i;
const UNTIL = /UNTIL=(\d{4})(\d{2})(\d{2})/i;
const WEEKDAYS = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"];
const DAY_MS = 86_400_000;

/** Returns the last onset of an observance up to a wall-clock time; null if there is none. */
function findOnset(startMs: number, rule: string, wallMs: number): number | null {
  if (startMs > wallMs) return null;
  const [, month, nth, weekday = ""] = RULE.exec(rule) ?? [];
  if (month === undefined) return startMs;
  const [, untilYear, untilMonth, untilDay] = UNTIL.exec(rule) ?? [];
  const endMs =
    untilYear === undefined
      ? wallMs
      : Math.min(wallMs, Date.UTC(+untilYear, Number(untilMonth) - 1, Number(untilDay) + 1));
  // The remainder is negative before 1970, where most zones begin.
  const timeOfDay = ((startMs % DAY_MS) + DAY_MS) % DAY_MS;
  const year = new Date(endMs).getUTCFullYear();
  const onsets = [year, year - 1].map(
    (one) => findWeekday(one, Number(month), Number(nth), WEEKDAYS.indexOf(weekday.toUpperCase())) + timeOfDay,
  );
  return onsets.find((onset) => onset <= endMs && onset >= startMs) ?? startMs;
}

/** Returns midnight of the nth weekday of a month; of a negative `nth`, counted from its end. */
function findWeekday(year: number, month: number, nth: number, weekday: number): number {
  const first = nth > 0 ? Date.UTC(year, month - 1, 1) : Date.UTC(year, month, 0);
  const day = new Date(first).getUTCDay();
  const days = nth > 0 ? ((weekday - day + 7) % 7) + (nth - 1) * 7 : -((day - weekday + 7) % 7) + (nth + 1) * 7;
  return first + days * DAY_MS;
}

function parseOffset(offset: string): number | null {
  const [, sign, hours, minutes, seconds = "0"] = /^([+-])(\d{2}):?(\d{2})(?::?(\d{2}))?$/.exec(offset) ?? [];
  if (sign === undefined) return null;
  const ms = (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) * 1_000;
  return sign === "-" ? -ms : ms;
}
