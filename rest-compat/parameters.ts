/** Parameter types of routes, as zod schemas with OpenAPI metadata. */
import { z } from "zod";
import { toPlainDecimal } from "../src/platform/decimal-notation.ts";
import { orMissing } from "../src/platform/validation.ts";
import { type ExactNumber, isExactNumber, sourceOf } from "./exact-json.ts";

/** The header of routes that move money. */
export const idempotencyHeader = z.object({
  "Idempotency-Key": z.string().max(255).optional().meta({
    description: "Makes a retry safe: the same key with the same request returns the first response again.",
  }),
});

/** Parses a whole number in a query string. */
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

/** Accepts an amount in atomic units in a query string. It remains text, because it may exceed the range of a double. */
export function atomicAmount(description: string) {
  return z
    .string()
    .regex(/^\d{1,30}$/, "must be a whole number of atomic units")
    .meta({ type: "integer", minimum: 0, description });
}

/** Accepts an amount in atomic units in a body, as a string of digits or as an integer. Outputs digits. */
export function atomicAmountMember(description: string) {
  const message = "must be a whole number of atomic units, as a string of digits or an integer";
  return z
    .union([z.string().regex(/^\d{1,30}$/, message), z.int(message).nonnegative(message)], message)
    .transform(String)
    .meta({ description });
}

const USD_DECIMALS = 6;
const MAX_USD = 1_000_000_000;

/** Parses US dollars from a JSON number of a body with `hasExactNumbers`. Outputs a plain decimal. */
export function usdNumber(description: string) {
  return z
    .custom<ExactNumber>(isExactNumber, orMissing("must be a number"))
    .transform((exactNumber, context) => {
      const decimal = toPlainDecimal(sourceOf(exactNumber));
      const problem = findUsdProblem(decimal);
      if (problem === null) return decimal ?? "";
      context.addIssue({ code: "custom", message: problem });
      return z.NEVER;
    })
    .meta({ type: "number", exclusiveMinimum: 0, maximum: MAX_USD, description });
}

function findUsdProblem(decimal: string | null): string | null {
  if (decimal === null) return `must be more than 0 and at most ${MAX_USD}`;
  const [whole = "", fraction = ""] = decimal.split(".");
  if (whole.startsWith("-") || decimal === "0") return "must be more than 0";
  if (fraction.length > USD_DECIMALS) return `must have at most ${USD_DECIMALS} decimal places`;
  const isTooLarge = BigInt(whole) > MAX_USD || (BigInt(whole) === BigInt(MAX_USD) && fraction !== "");
  return isTooLarge ? `must be at most ${MAX_USD}` : null;
}

/** Parses an ISO 8601 time, or a date, which stands for midnight UTC. Outputs an ISO 8601 time. */
export function isoTime(description: string) {
  const message = "must be an ISO 8601 time such as 2026-11-20T00:00:00Z, not before 1970";
  return z
    .union([z.iso.datetime({ offset: true }), z.iso.date()], message)
    .transform((text) => new Date(text))
    .refine((time) => time.getTime() >= 0 && time.getUTCFullYear() <= 9999, message)
    .transform((time) => time.toISOString())
    .meta({ description });
}

/** Accepts an absolute URL. The operation decides which schemes and hosts are allowed. */
export function absoluteUrl(message: string) {
  return z.string().refine((text) => URL.canParse(text), message);
}

/** Accepts a text that the documentation shows as required. The operation reports a missing value with a code of its own. */
export function requiredText(description: string) {
  return z.string().optional().meta({ description, required: true });
}

/** Parses `true` or `false` in a query string. */
export function booleanText(description: string) {
  return z
    .enum(["true", "false"], "must be true or false")
    .transform((text) => text === "true")
    .meta({ type: "boolean", description });
}

export function oneOf<const Values extends readonly [string, ...string[]]>(values: Values, description: string) {
  return z.enum(values, orMissing(`must be one of ${values.join(", ")}`)).meta({ description });
}

/** Returns an ID from a path, or `none` if its form is invalid, which then is not found. */
export function idOrNone(id: string): string {
  return /^\w{1,80}$/.test(id) ? id : "none";
}

/** Returns the global id of an object. Routes accept own ids only, so that a global id from a client is not found. */
export function toGlobalId(type: string, ownId = "none"): string {
  return Buffer.from(`${type}:${ownId}`).toString("base64");
}

/** Returns the own id in a global id. */
export function toOwnId(globalId: string): string {
  const text = Buffer.from(globalId, "base64").toString();
  return text.slice(text.indexOf(":") + 1);
}

export const NETWORKS = ["base", "base-sepolia", "solana", "solana-devnet", "avalanche"] as const;
