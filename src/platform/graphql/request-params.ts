import { GraphQLError } from "graphql";
import type { Variables } from "./compile-operation.ts";
import { limitError } from "./limit-rules.ts";
import type { GraphqlLimits } from "./limits.ts";
import { requestError } from "./request-errors.ts";

/** The parameters of a GraphQL request on any transport (GraphQL over HTTP, section 5.1). */
export type RequestParams = {
  query: string;
  operationName: string | null | undefined;
  variables: Variables | null | undefined;
};

type Checked = { params: RequestParams; error?: never } | { error: GraphQLError; params?: never };

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  const inner = Array.isArray(value) ? value : Object.values(value);
  return inner.some((one) => isDeeperThan(levels - 1, one));
}

/**
 * Checks the types and sizes of a request's parameters.
 * @param bytes an upper bound of the variables' size, if known; saves measuring them
 */
export function checkParams(
  body: unknown,
  { maxVariablesBytes, maxVariablesDepth }: Pick<GraphqlLimits, "maxVariablesBytes" | "maxVariablesDepth">,
  bytes = Number.POSITIVE_INFINITY,
): Checked {
  if (!isObject(body)) return malformed("The request must be an object with a `query`.");
  const { query, operationName, variables, extensions } = body;
  if (typeof query !== "string" || query === "") return malformed("`query` must be a non-empty string.");
  if (operationName != null && typeof operationName !== "string") return malformed("`operationName` must be a string.");
  if (variables != null && !isObject(variables)) return malformed("`variables` must be an object.");
  if (extensions != null && !isObject(extensions)) return malformed("`extensions` must be an object.");
  // Must precede any recursive function, such as JSON.stringify.
  if (variables && isDeeperThan(maxVariablesDepth, variables)) {
    return { error: tooLarge("levels of variables", maxVariablesDepth, 400) };
  }
  if (variables && bytes > maxVariablesBytes && Buffer.byteLength(JSON.stringify(variables)) > maxVariablesBytes) {
    return { error: tooLarge("bytes of variables", maxVariablesBytes) };
  }
  return { params: { query, operationName: operationName as string | null | undefined, variables } };
}

function malformed(message: string): Checked {
  return { error: requestError(message, "BAD_REQUEST") };
}

/** Creates the error for a request that exceeds a limit. */
export function tooLarge(unit: string, limit: number, status = 413): GraphQLError {
  const { message, extensions } = limitError(unit, null, limit);
  return new GraphQLError(message, { extensions: { ...extensions, http: { status, spec: false } } });
}
