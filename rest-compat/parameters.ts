/** The kinds of parameters that routes take, as zod schemas that also describe themselves for OpenAPI. */
import { z } from "zod";
import { orMissing } from "../src/platform/validation.ts";
import { isWrittenNumber, plainDecimalOf, type WrittenNumber } from "./exact-json.ts";

/** What routes that move money take as a header. */
export const idempotencyHeader = z.object({
  "Idempotency-Key": z.string().max(255).optional().meta({
    description: "Makes a repetition safe: the same key with the same request gives the first answer again.",
  }),
});

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

const USD_DECIMALS = 6;
const MAX_USD = 1_000_000_000;

/** US dollars as a JSON number of a body that keeps its numbers' text (`exactNumbers`). Answers the plain decimal. */
export function usdNumber(description: string) {
  return z
    .custom<WrittenNumber>(isWrittenNumber, orMissing("must be a number"))
    .transform((written, context) => {
      const decimal = plainDecimalOf(written);
      const problem = problemOfUsd(decimal);
      if (problem === null) return decimal ?? "";
      context.addIssue({ code: "custom", message: problem });
      return z.NEVER;
    })
    .meta({ type: "number", exclusiveMinimum: 0, maximum: MAX_USD, description });
}

function problemOfUsd(decimal: string | null): string | null {
  if (decimal === null) return `must be more than 0 and at most ${MAX_USD}`;
  const [whole = "", fraction = ""] = decimal.split(".");
  if (whole.startsWith("-") || decimal === "0") return "must be more than 0";
  if (fraction.length > USD_DECIMALS) return `may have at most ${USD_DECIMALS} decimal places`;
  const isTooLarge = BigInt(whole) > MAX_USD || (BigInt(whole) === BigInt(MAX_USD) && fraction !== "");
  return isTooLarge ? `may be at most ${MAX_USD}` : null;
}

/** An ISO 8601 time, or a date, which stands for its first instant in UTC. Answers the time. */
export function isoTime(description: string) {
  const message = "must be a time in ISO 8601 such as 2026-11-20T00:00:00Z, from 1970 on";
  return z
    .union([z.iso.datetime({ offset: true }), z.iso.date()], message)
    .transform((text) => new Date(text))
    .refine((time) => time.getTime() >= 0 && time.getUTCFullYear() <= 9999, message)
    .transform((time) => time.toISOString())
    .meta({ description });
}

/** What a query must have, where the operation itself says that it lacks it, with a code of its own. */
export function neededText(description: string) {
  return z.string().optional().meta({ description, required: true });
}

/** `true` or `false` in a query string. */
export function truth(description: string) {
  return z
    .enum(["true", "false"], "must be true or false")
    .transform((text) => text === "true")
    .meta({ type: "boolean", description });
}

export function oneOf<const Values extends readonly [string, ...string[]]>(values: Values, description: string) {
  return z.enum(values, orMissing(`must be one of ${values.join(", ")}`)).meta({ description });
}

/** An id in a path: one of another form is nobody's, and not found as such. */
export function knownForm(id: string): string {
  return /^\w{1,80}$/.test(id) ? id : "none";
}

export const NETWORKS = ["base", "base-sepolia", "solana", "solana-devnet", "avalanche"] as const;
