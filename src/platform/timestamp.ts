const FORMAT = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(?:Z|[+-](\d{2}):(\d{2}))$/;

/**
 * Returns the problem of a timestamp, as a predicate; null if it exists. The format is that of RFC 3339, but seconds are
 * optional. `Date` itself moves 31 April to 1 May. A leap second is rejected, because `Date` has none.
 */
export function findTimestampProblem(text: string): string | null {
  const match = FORMAT.exec(text);
  if (!match) return "must be an ISO 8601 timestamp with a UTC offset, from 1970 on, such as 2026-11-20T17:29:16Z";
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, offsetHour = 0, offsetMinute = 0] = match
    .slice(1)
    .map((digits) => Number(digits ?? 0));
  if (month < 1 || month > 12) return "names a month that does not exist: months are 01 to 12";
  const dayCount = new Date(Date.UTC(year, month, 0)).getUTCDate();
  if (day < 1 || day > dayCount) return `names a day that does not exist: ${text.slice(0, 7)} has ${dayCount} days`;
  if (hour > 23 || minute > 59 || second > 59) {
    return "names a time that does not exist: hours are 00 to 23, minutes and seconds 00 to 59";
  }
  if (offsetHour > 23 || offsetMinute > 59) return "names a UTC offset that does not exist: offsets are at most 23:59";
  const utcYear = new Date(text).getUTCFullYear();
  return utcYear < 1970 || utcYear > 9999 ? "must be from 1970 to 9999" : null;
}
