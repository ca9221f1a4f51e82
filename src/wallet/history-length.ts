import { InvalidRequestError } from "../platform/errors.ts";

/** How much of the past is shown: the last `count` UTC days or months. */
export interface HistoryLength {
  readonly period: HistoryPeriod;
  readonly count: number;
}

export type HistoryPeriod = "day" | "month";

/** A year of days, five years of months. */
const MAX_COUNT: Readonly<Record<HistoryPeriod, number>> = { day: 366, month: 60 };

/** @throws {InvalidRequestError} when `count` is out of range */
export function checkHistoryLength({ period, count }: HistoryLength): void {
  const most = MAX_COUNT[period];
  if (!Number.isInteger(count) || count < 1 || count > most) {
    throw new InvalidRequestError(`count must be from 1 to ${most} for ${period}s.`, "count");
  }
}
