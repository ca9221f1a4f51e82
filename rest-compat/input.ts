import { z } from "zod";
import { InvalidRequestError } from "../src/platform/errors.ts";
import type { Parameters } from "./route.ts";
import { findUnknownMembers, type OnUnknown, refuseUnknown } from "./unknown-members.ts";

/**
 * Validates a query string. An empty parameter counts as absent, except for a number: an empty cap must not remove the cap.
 *
 * @throws {InvalidRequestError} with the name of the invalid parameter.
 */
export function readQuery(schema: Parameters, query: unknown, onUnknown: OnUnknown = refuseUnknown): unknown {
  findUnknownMembers(schema, query, "parameter").forEach(onUnknown);
  const present: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(query as object)) {
    const isKnown = Object.hasOwn(schema.shape, name);
    if (isKnown && value === "" && !isNumber(schema.shape[name])) continue;
    if (isKnown && typeof value !== "string") {
      throw new InvalidRequestError(`${name} must not be repeated.`, name);
    }
    present[name] = value;
  }
  return validate(schema, present, null);
}

function isNumber(schema: z.ZodType | undefined): boolean {
  const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  const type = inner instanceof z.ZodType ? inner.meta()?.["type"] : null;
  return type === "integer" || type === "number";
}

/**
 * Validates a body.
 *
 * @param schema null for a route without a body, which then must have no members
 * @throws {InvalidRequestError} with the invalid member, such as `requestData.url`, or `body`.
 */
export function readBody(schema: z.ZodType | null, body: unknown, onUnknown: OnUnknown = refuseUnknown): unknown {
  findUnknownMembers(schema ?? NO_MEMBERS, body, "member").forEach(onUnknown);
  return schema && validate(schema, body, "body");
}

const NO_MEMBERS = z.object({});

function validate(schema: z.ZodType, value: unknown, root: string | null): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = formatPath(issue?.path ?? []) || root;
  throw new InvalidRequestError(`${field ?? "The request"} ${formatProblem(issue, value)}.`, field);
}

/** JSON's names for types that zod names differently. */
const KINDS: Readonly<Record<string, string>> = { int: "integer", record: "object" };

function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map((part, i) => (typeof part === "number" ? `[${part}]` : `${i === 0 ? "" : "."}${String(part)}`))
    .join("");
}

function formatProblem(issue: z.core.$ZodIssue | undefined, value: unknown): string {
  // `z.int()` checks the range of safe integers, with its own issue texts.
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
