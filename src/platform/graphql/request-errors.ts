import { type ExecutionResult, GraphQLError, type GraphQLFormattedError } from "graphql";
import { isUnstorableText, UNSTORABLE_TEXT } from "../database/errors.ts";
import { InvalidRequestError, ServiceError } from "../errors.ts";

/** HTTP statuses of errors that stop a request before anything ran. */
const STATUS_BY_CODE: Readonly<Record<string, number>> = {
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  payload_too_large: 413,
  rate_limited: 429,
  internal_error: 500,
};

/**
 * An error about the request itself. `http.spec` marks a well-formed request whose GraphQL is at fault: such an
 * answer has status 200 in `application/json` and `status` in `application/graphql-response+json` (GraphQL over
 * HTTP, section 6.4); without it the status holds for both.
 */
export function requestError(message: string, code: string, status = 400, spec = false): GraphQLError {
  return new GraphQLError(message, { extensions: { code, http: { status, spec } } });
}

/** Nothing that the Accept header allows can carry the answer. */
export function notAcceptable(): GraphQLError {
  const message = "A subscription is answered as text/event-stream or over a WebSocket, anything else as JSON.";
  return requestError(message, "NOT_ACCEPTABLE", 406);
}

/** Marks an error of parsing, validation or variables as one, keeping a code it may have. */
export function asDocumentError(error: GraphQLError, code: string, suggestions: boolean): GraphQLError {
  const message = suggestions ? error.message : error.message.replace(/\s*Did you mean [\s\S]*$/, "");
  return new GraphQLError(message, {
    nodes: error.nodes ?? null,
    source: error.source ?? null,
    positions: error.positions ?? null,
    extensions: { code, ...error.extensions, http: { status: 400, spec: true } },
  });
}

function unwrap(error: unknown): unknown {
  return error instanceof GraphQLError && error.originalError ? unwrap(error.originalError) : error;
}

/** Where a text went to the database unchecked, the database refuses it: that is the caller's mistake all the same. */
function asInputError(cause: unknown): unknown {
  return isUnstorableText(cause) ? new InvalidRequestError(UNSTORABLE_TEXT) : cause;
}

/**
 * What a client may see of an error: a GraphQLError with a code, or the service's own kind. All else is
 * `internal_error` with the request's id, and goes to `report`.
 */
export function publicError(
  error: unknown,
  requestId: string,
  report: ((error: unknown, requestId: string) => void) | undefined,
): GraphQLError {
  const cause = asInputError(unwrap(error));
  const located = error instanceof GraphQLError ? { nodes: error.nodes ?? null, path: error.path ?? null } : {};
  const locations = error instanceof GraphQLError ? error.locations : undefined;
  let result: GraphQLError;
  if (cause instanceof GraphQLError && typeof cause.extensions?.["code"] === "string") {
    result = new GraphQLError(cause.message, { ...located, extensions: cause.extensions });
  } else if (cause instanceof ServiceError) {
    const field = cause instanceof InvalidRequestError && cause.field !== null ? { field: cause.field } : {};
    result = new GraphQLError(cause.message, { ...located, extensions: { code: cause.code, ...field } });
  } else {
    report?.(cause, requestId);
    result = new GraphQLError("Something went wrong on our side.", {
      ...located,
      extensions: { code: "internal_error", requestId },
    });
  }
  // Compiled queries know the place in the document but not the node.
  if (locations && !result.locations)
    Object.defineProperty(result, "locations", { value: locations, enumerable: true });
  return result;
}

/** An error that stopped the request before anything ran, with the HTTP status its code asks for. */
export function publicRequestError(
  error: unknown,
  requestId: string,
  report: ((error: unknown, requestId: string) => void) | undefined,
): GraphQLError {
  const shown = publicError(error, requestId, report);
  const http = shown.extensions["http"] ?? { status: STATUS_BY_CODE[String(shown.extensions["code"])] ?? 400 };
  return new GraphQLError(shown.message, { extensions: { ...shown.extensions, http } });
}

/** The error as it is sent, without what is only for the transport. */
export function formatError(error: GraphQLError): GraphQLFormattedError {
  const { http: _http, ...extensions } = error.extensions ?? {};
  return {
    message: error.message,
    ...(error.locations ? { locations: error.locations } : {}),
    ...(error.path ? { path: error.path } : {}),
    ...(Object.keys(extensions).length > 0 ? { extensions } : {}),
  };
}

/** The result as it is sent: errors first, so that a reader meets them before a long `data`. */
export function formatResult(result: ExecutionResult): object {
  if (!result.errors) return result;
  return { errors: result.errors.map(formatError), ...("data" in result ? { data: result.data } : {}) };
}
