import { type ExecutionResult, GraphQLError, type GraphQLFormattedError } from "graphql";
import { convertDatabaseError, isUnstorableText, UNSTORABLE_TEXT } from "../database/errors.ts";
import { InvalidRequestError, ServiceError, ServiceUnavailableError } from "../errors.ts";

/** HTTP statuses of errors that reject a request before execution. */
const STATUS_BY_CODE: Readonly<Record<string, number>> = {
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  payload_too_large: 413,
  rate_limited: 429,
  account_frozen: 403,
  service_frozen: 503,
  internal_error: 500,
};

/**
 * Creates an error about the request itself. `spec` marks an error in the GraphQL of a well-formed request. The response then has
 * status 200 as `application/json`, but `status` as `application/graphql-response+json` (GraphQL over HTTP, section 6.4). Without
 * `spec` both have `status`.
 */
export function requestError(message: string, code: string, status = 400, spec = false): GraphQLError {
  return new GraphQLError(message, { extensions: { code, http: { status, spec } } });
}

/** The Accept header allows no media type of the response. */
export function notAcceptable(): GraphQLError {
  const message = "Accept text/event-stream for subscriptions, or use a WebSocket; accept JSON for other operations.";
  return requestError(message, "NOT_ACCEPTABLE", 406);
}

/** Length of a message of graphql-js, which repeats names and values of the request. */
const MAX_MESSAGE_CHARACTERS = 500;
const MAX_LOCATIONS = 10;

/** Returns a message of graphql-js with a limited length, and without the names of similar fields unless `suggestions` is set. */
export function publicMessage(message: string, suggestions: boolean): string {
  // The length is limited first, because the regular expression is quadratic in a run of spaces.
  const limited = message.length > MAX_MESSAGE_CHARACTERS ? `${message.slice(0, MAX_MESSAGE_CHARACTERS)}…` : message;
  return suggestions ? limited : limited.replace(/\s*Did you mean [\s\S]*$/, "");
}

/** Adds code and HTTP status to an error of parsing or validation. An existing code remains. */
export function asDocumentError(error: GraphQLError, code: string, suggestions: boolean): GraphQLError {
  return new GraphQLError(publicMessage(error.message, suggestions), {
    nodes: error.nodes?.slice(0, MAX_LOCATIONS) ?? null,
    source: error.source ?? null,
    positions: error.positions ?? null,
    extensions: { code, ...error.extensions, http: { status: 400, spec: true } },
  });
}

function unwrap(error: unknown): unknown {
  return error instanceof GraphQLError && error.originalError ? unwrap(error.originalError) : error;
}

/** Messages of graphql-js for an argument whose variable is null or absent. Validation accepts it, and execution throws. */
const INVALID_ARGUMENT = /^Argument "\w+" (of (required|non-null) type|has invalid value) /;

/**
 * Returns an input error that a library or the database detected, in the form for the client. PostgreSQL cannot store some texts.
 */
function asInputError(cause: unknown): unknown {
  if (isUnstorableText(cause)) return new InvalidRequestError(UNSTORABLE_TEXT);
  if (!(cause instanceof GraphQLError) || !INVALID_ARGUMENT.test(cause.message)) return cause;
  return new GraphQLError(publicMessage(cause.message, false), {
    nodes: cause.nodes ?? null,
    extensions: { code: "BAD_USER_INPUT" },
  });
}

/**
 * Returns the error for the client: a GraphQLError with a code or a ServiceError. Any other error is masked as `internal_error`
 * with the request id and passed to `report`.
 */
export function publicError(
  error: unknown,
  requestId: string,
  report: ((error: unknown, requestId: string) => void) | undefined,
): GraphQLError {
  const cause = asInputError(convertDatabaseError(unwrap(error)));
  const located = error instanceof GraphQLError ? { nodes: error.nodes ?? null, path: error.path ?? null } : {};
  const locations = error instanceof GraphQLError ? error.locations : undefined;
  let result: GraphQLError;
  if (cause instanceof GraphQLError && typeof cause.extensions?.["code"] === "string") {
    result = new GraphQLError(cause.message, { ...located, extensions: cause.extensions });
  } else if (cause instanceof ServiceError) {
    const details =
      cause instanceof InvalidRequestError
        ? describeProblems(cause)
        : cause instanceof ServiceUnavailableError
          ? { retryAfterMs: cause.retryAfterMs, http: { status: 503 } }
          : {};
    result = new GraphQLError(cause.message, { ...located, extensions: { code: cause.code, ...details } });
  } else {
    report?.(cause, requestId);
    result = new GraphQLError("The service failed unexpectedly. Report the request id.", {
      ...located,
      extensions: { code: "internal_error", requestId },
    });
  }
  // Errors of compiled queries have `locations` but no nodes.
  if (locations && !result.locations)
    Object.defineProperty(result, "locations", { value: locations, enumerable: true });
  return result;
}

function describeProblems({ field, problems }: InvalidRequestError) {
  return { ...(field === null ? {} : { field }), ...(problems.length > 0 ? { problems } : {}) };
}

/** Returns the public form of an error that rejected the request before execution, with the HTTP status of its code. */
export function publicRequestError(
  error: unknown,
  requestId: string,
  report: ((error: unknown, requestId: string) => void) | undefined,
): GraphQLError {
  const { message, extensions } = publicError(error, requestId, report);
  const http = extensions["http"] ?? { status: STATUS_BY_CODE[String(extensions["code"])] ?? 400 };
  return new GraphQLError(message, { extensions: { ...extensions, http } });
}

/** Returns the error as sent to the client, without the transport's `http` extension. */
export function formatError(error: GraphQLError): GraphQLFormattedError {
  const { http: _http, ...extensions } = error.extensions ?? {};
  return {
    message: error.message,
    ...(error.locations ? { locations: error.locations } : {}),
    ...(error.path ? { path: error.path } : {}),
    ...(Object.keys(extensions).length > 0 ? { extensions } : {}),
  };
}

/** Returns the result as JSON, or an `internal_error` if its data cannot be serialised, such as a BigInt. */
export function serialiseResult(
  result: ExecutionResult,
  requestId: string,
  report: ((error: unknown, requestId: string) => void) | undefined,
): string {
  try {
    return JSON.stringify(formatResult(result));
  } catch (error) {
    return JSON.stringify(formatResult({ errors: [publicError(error, requestId, report)], data: null }));
  }
}

/** Returns the result as sent to the client. Errors precede a possibly long `data`. */
export function formatResult(result: ExecutionResult): object {
  if (!result.errors) return result;
  return { errors: result.errors.map(formatError), ...("data" in result ? { data: result.data } : {}) };
}
