/** Arguments of a call: JSON texts parsed, then validated against the tool's strict schema. */
import { isWithinDepth } from "../src/platform/json-depth.ts";
import type { CatalogEntry } from "./catalog.ts";
import { parseJsonArguments } from "./json-arguments.ts";
import { ToolError } from "./tool-error.ts";

/** Deeper arguments cannot be serialised. */
const MAX_DEPTH = 128;

/**
 * Returns the arguments as the tool receives them.
 * @throws {ToolError} naming the argument
 */
export function readArguments(
  { tool, inputSchema }: Pick<CatalogEntry, "tool" | "inputSchema">,
  given: unknown,
): Readonly<Record<string, unknown>> {
  const values = parseJsonArguments(inputSchema.properties, (given ?? {}) as never);
  const deep = Object.keys(values).find((name) => !isWithinDepth(values[name], MAX_DEPTH));
  if (deep !== undefined) throw invalid(deep, "is nested too deeply");
  const parsed = tool.input.safeParse(values);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const unknown = issue?.code === "unrecognized_keys" ? issue.keys[0] : undefined;
  const field = [...(issue?.path ?? []), ...(unknown === undefined ? [] : [unknown])].join(".") || "arguments";
  const problem = unknown === undefined ? (issue?.message ?? "is not valid") : "is not an argument of this tool";
  throw invalid(field, problem);
}

function invalid(field: string, problem: string): ToolError {
  return new ToolError({ code: "invalid_request", message: `${field}: ${problem}. Nothing was done.`, field });
}
