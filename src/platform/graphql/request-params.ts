import { GraphQLError } from "graphql";
import type { Variables } from "./compile-operation.ts";
import { isDeeperThan } from "./json-depth.ts";
import { limitError } from "./limit-rules.ts";
import type { GraphqlLimits } from "./limits.ts";
import { requestError } from "./request-errors.ts";

/** The parameters of a GraphQL request on any transport (GraphQL over HTTP, section 5.1). At least one of `query` and `sha256Hash` is set. */
export type RequestParams = {
  query: string | null;
  /** Hash of an automatic persisted query (Apollo). */
  sha256Hash: string | null;
  operationName: string | null | undefined;
  variables: Variables | null | undefined;
};

type Checked = { params: RequestParams; error?: never } | { error: GraphQLError; params?: never };

const SHA256 = /^[0-9a-f]{64}$/;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
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
  if (extensions != null && !isObject(extensions)) return malformed("`extensions` must be an object.");
  const sha256Hash = readHash(extensions?.["persistedQuery"]);
  if (sha256Hash === undefined) {
    return malformed(
      "`extensions.persistedQuery` requires `version` 1 and a `sha256Hash` of 64 lower-case hexadecimal digits.",
    );
  }
  const isByHash = sha256Hash !== null && (query == null || query === "");
  if (!isByHash && (typeof query !== "string" || query === "")) return malformed("`query` must be a non-empty string.");
  if (operationName != null && typeof operationName !== "string") return malformed("`operationName` must be a string.");
  if (variables != null && !isObject(variables)) return malformed("`variables` must be an object.");
  // Must precede any recursive function, such as JSON.stringify.
  if (variables && isDeeperThan(maxVariablesDepth, variables)) {
    return { error: tooLarge("levels of variables", maxVariablesDepth, 400) };
  }
  if (variables && bytes > maxVariablesBytes && Buffer.byteLength(JSON.stringify(variables)) > maxVariablesBytes) {
    return { error: tooLarge("bytes of variables", maxVariablesBytes) };
  }
  return {
    params: {
      query: isByHash ? null : (query as string),
      sha256Hash,
      operationName: operationName as string | null | undefined,
      variables,
    },
  };
}

/** Returns the hash; null without a persisted query, undefined if it is malformed. */
function readHash(persistedQuery: unknown): string | null | undefined {
  if (persistedQuery == null) return null;
  if (!isObject(persistedQuery) || persistedQuery["version"] !== 1) return undefined;
  const { sha256Hash } = persistedQuery;
  return typeof sha256Hash === "string" && SHA256.test(sha256Hash) ? sha256Hash : undefined;
}

/**
 * Returns the parameters of a query string or form, whose `variables` and `extensions` are JSON.
 * @throws GraphQLError `BAD_REQUEST` for text that is not JSON
 */
export function readParameters(parameters: URLSearchParams): Record<string, unknown> {
  return {
    query: parameters.get("query"),
    operationName: parameters.get("operationName") || null,
    variables: parseParameter(parameters, "variables"),
    extensions: parseParameter(parameters, "extensions"),
  };
}

function parseParameter(parameters: URLSearchParams, name: string): unknown {
  const text = parameters.get(name);
  if (!text) return null;
  try {
    return JSON.parse(text);
  } catch {
    throw requestError(`\`${name}\` is not valid JSON.`, "BAD_REQUEST");
  }
}

function malformed(message: string): Checked {
  return { error: requestError(message, "BAD_REQUEST") };
}

/** Creates the error for a request that exceeds a limit. */
export function tooLarge(unit: string, limit: number, status = 413): GraphQLError {
  const { message, extensions } = limitError(unit, null, limit);
  return new GraphQLError(message, { extensions: { ...extensions, http: { status, spec: false } } });
}
