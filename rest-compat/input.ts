import { z } from "zod";
import { InvalidRequestError } from "../src/platform/errors.ts";
import type { Parameters } from "./route.ts";

/**
 * Checks a query string. An empty parameter counts as absent, unless it is a number: a cap that got lost is no cap lifted.
 * @throws {InvalidRequestError} naming the parameter.
 */
export function readQuery(schema: Parameters, query: unknown): unknown {
  const given: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(query as object)) {
    const isKnown = Object.hasOwn(schema.shape, name);
    if (isKnown && value === "" && !isNumber(schema.shape[name])) continue;
    if (isKnown && typeof value !== "string") {
      throw new InvalidRequestError(`${name} may be given once.`, name);
    }
    given[name] = value;
  }
  return check(schema, given, null);
}

function isNumber(schema: z.ZodType | undefined): boolean {
  const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  const type = inner instanceof z.ZodType ? inner.meta()?.["type"] : null;
  return type === "integer" || type === "number";
}

/** @throws {InvalidRequestError} naming the member, such as `requestData.url`, or `body`. */
export function readBody(schema: z.ZodType, body: unknown): unknown {
  return check(schema, body, "body");
}

function check(schema: z.ZodType, value: unknown, root: string | null): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (issue?.code === "unrecognized_keys") throw unknownParameter(issue.keys[0] ?? "");
  const field = pathOf(issue?.path ?? []) || root;
  throw new InvalidRequestError(`${field ?? "The request"} ${problemOf(issue, value)}.`, field);
}

/** Usually the end of another parameter's address, which was not percent-encoded. */
function unknownParameter(name: string): InvalidRequestError {
  return new InvalidRequestError(
    `There is no parameter ${name} here. Where it belongs to the value of another, percent-encode that value.`,
    name,
  );
}

/** What zod calls otherwise than JSON does. */
const KINDS: Readonly<Record<string, string>> = { int: "integer", record: "object" };

function pathOf(path: readonly PropertyKey[]): string {
  return path
    .map((part, i) => (typeof part === "number" ? `[${part}]` : `${i === 0 ? "" : "."}${String(part)}`))
    .join("");
}

function problemOf(issue: z.core.$ZodIssue | undefined, value: unknown): string {
  // Integers have a range of their own: what a double holds exactly.
  if (issue?.code === "too_big" && issue.origin === "int") return `must be at most ${issue.maximum}`;
  if (issue?.code === "too_small" && issue.origin === "int") return `must be at least ${issue.minimum}`;
  if (issue?.code !== "invalid_type") return issue?.message ?? "is not valid";
  const found = issue.path.reduce<unknown>(
    (inner, part) => (inner as Record<PropertyKey, unknown> | undefined)?.[part],
    value,
  );
  if (found === undefined) return "is missing";
  const { expected } = issue;
  const kind = KINDS[expected] ?? expected;
  return `must be ${/^[aeio]/.test(kind) ? "an" : "a"} ${kind}`;
}
