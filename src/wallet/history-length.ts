import { InvalidRequestError } from "../platform/errors.ts";

/** Length of a history: the last `count` UTC days or months. */
export interface HistoryLength {
  readonly period: HistoryPeriod;
  readonly count: number;
}

export type HistoryPeriod = "day" | "month";

/** One year of days, five years of months. */
const MAX_COUNT: Readonly<Record<HistoryPeriod, number>> = { day: 366, month: 60 };

/** Checks the range of `count`. @throws {InvalidRequestError} when it is out of range. */
export function checkHistoryLength({ period, count }: HistoryLength): void {
  const maxCount = MAX_COUNT[period];
  if (!Number.isInteger(count) || count < 1 || count > maxCount) {
    throw new InvalidRequestError(`count must be from 1 to ${maxCount} for ${period}s.`, "count");
  }
}
