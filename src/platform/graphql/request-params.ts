import { GraphQLError } from "graphql";
import type { Variables } from "./compile-operation.ts";
import { limitError } from "./limit-rules.ts";
import type { GraphqlLimits } from "./limits.ts";
import { requestError } from "./request-errors.ts";

/** A GraphQL request as any transport carries it (GraphQL over HTTP, section 5.1). */
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
 * Checks the shape of a request. `bytes` is an upper bound of what the variables take, where it is known, and saves
 * measuring them.
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
  // Before anything that follows them down, as writing JSON does.
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

/** Refuses what is larger than the service takes, with 413 where it is about bytes or counts. */
export function tooLarge(what: string, limit: number, status = 413): GraphQLError {
  const { message, extensions } = limitError(what, null, limit);
  return new GraphQLError(message, { extensions: { ...extensions, http: { status, spec: false } } });
}
