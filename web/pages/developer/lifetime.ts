/** Lifetime of access tokens, in seconds. */
import type { OAuthClientKind } from "../../generated/graphql.ts";

const DAY_SECONDS = 86_400;
export const MIN_LIFETIME_SECONDS = 60;

/** The defaults, which an app can only shorten. */
export const MAX_LIFETIME_SECONDS: Readonly<Record<OAuthClientKind, number>> = {
  CONFIDENTIAL: 60 * DAY_SECONDS,
  PUBLIC: 30 * DAY_SECONDS,
  NATIVE: 30 * DAY_SECONDS,
  AUTOMATION: 365 * DAY_SECONDS,
};

const UNITS = [
  ["day", DAY_SECONDS],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

/** Formats a lifetime in the largest unit that divides it, such as "30 days". */
export function formatLifetime(seconds: number): string {
  const [unit, length] = UNITS.find(([, size]) => seconds % size === 0) ?? UNITS[3];
  return new Intl.NumberFormat(undefined, { style: "unit", unit, unitDisplay: "long" }).format(seconds / length);
}

/** Returns the lifetime that was typed, in seconds; the error message if it is not permitted. Empty: the default. */
export function readLifetime(typed: string, kind: OAuthClientKind): number | string {
  const max = MAX_LIFETIME_SECONDS[kind];
  const text = typed.trim();
  const seconds = text === "" ? max : Number(text);
  if (/^\d*$/.test(text) && seconds >= MIN_LIFETIME_SECONDS && seconds <= max) return seconds;
  return `Enter a whole number from ${MIN_LIFETIME_SECONDS} to ${max}.`;
}
