/** The kinds of parameters that routes take, as zod schemas that also describe themselves for OpenAPI. */
import { z } from "zod";

/** A whole number in a query string. */
export function wholeNumber(range: { min: number; max: number; default?: number }, description: string) {
  const { min, max } = range;
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, message)
    .transform(Number)
    .pipe(z.number().min(min, message).max(max, message))
    .meta({
      type: "integer",
      minimum: min,
      maximum: max,
      description,
      ...(range.default === undefined ? {} : { default: range.default }),
    });
}

/** An amount in atomic units in a query string; kept as text, since it may be larger than a double holds. */
export function atomicAmount(description: string) {
  return z
    .string()
    .regex(/^\d{1,30}$/, "must be a whole number of atomic units")
    .meta({ type: "integer", minimum: 0, description });
}

/** An ISO 8601 time, or a date, which stands for its first instant in UTC. Answers the time. */
export function isoTime(description: string) {
  const message = "must be a time in ISO 8601 such as 2026-11-20T00:00:00Z, from 1970 on";
  return z
    .union([z.iso.datetime({ offset: true }), z.iso.date()], message)
    .transform((text) => new Date(text))
    .refine((time) => time.getTime() >= 0 && time.getUTCFullYear() <= 9999, message)
    .transform((time) => time.toISOString())
    .meta({ type: "string", format: "date-time", description });
}

export function oneOf<const Values extends readonly [string, ...string[]]>(values: Values, description: string) {
  return z.enum(values, `must be one of ${values.join(", ")}`).meta({ description });
}

export const NETWORKS = ["base", "base-sepolia", "solana", "solana-devnet", "avalanche"] as const;
