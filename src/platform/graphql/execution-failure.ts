/** The failure of an operation that ran in process: an error outside of its result union, or variables that fail coercion. */
import { type ExecutionResult, GraphQLError } from "graphql";
import { convertDatabaseError, isUnstorableText, UNSTORABLE_TEXT } from "../database/errors.ts";
import { ERROR_CODES, type ErrorCode } from "../error-codes.ts";
import { RateLimitedError, ServiceError, ServiceUnavailableError } from "../errors.ts";
import { InvalidValue } from "./invalid-value.ts";

export interface ExecutionFailure {
  readonly code: ErrorCode;
  readonly message: string;
  /** The GraphQL name of the invalid field; null if there is none. */
  readonly field: string | null;
  /** Null unless the error states when to retry. */
  readonly retryAfterMs: number | null;
}

/** Returns the failure in the errors of a result, or the unexpected error, which must be logged and not shown. */
export function readExecutionFailure({
  errors,
  ...rest
}: ExecutionResult): ExecutionFailure | { readonly unexpected: unknown } {
  const [error] = errors ?? [];
  const cause = convertDatabaseError(error?.originalError ?? error) as Error | undefined;
  const failure = (
    code: ErrorCode,
    message: string,
    field: string | null = null,
    retryAfterMs: number | null = null,
  ) => ({
    code,
    message,
    field,
    retryAfterMs,
  });
  if (isUnstorableText(cause)) return failure("invalid_request", UNSTORABLE_TEXT);
  if (cause instanceof ServiceError) {
    const isTemporary = cause instanceof RateLimitedError || cause instanceof ServiceUnavailableError;
    const field = "field" in cause ? (cause.field as string | null) : null;
    return failure(cause.code, cause.message, field, isTemporary ? cause.retryAfterMs : null);
  }
  // Variable coercion failed before execution: a scalar is stricter than the caller's own check.
  if (error && !("data" in rest) && isVariableError(error)) {
    const field = / at "(?:input\.|filter\.)?([\w.[\]]+)"/.exec(error.message)?.[1] ?? null;
    const reason =
      error.originalError instanceof InvalidValue ? `${error.originalError.reason}.` : error.message.split("; ").at(-1);
    return failure("invalid_request", `${field ?? "The input"} ${reason ?? "is not valid."}`, field);
  }
  const code = cause instanceof GraphQLError ? cause.extensions?.["code"] : undefined;
  const known = ERROR_CODES.find((name) => name === code);
  if (known && known !== "internal_error") return failure(known, cause?.message ?? "");
  return { unexpected: cause ?? new Error("The operation returned neither data nor an error.") };
}

function isVariableError(error: GraphQLError): boolean {
  return error.path === undefined && error.message.startsWith("Variable ");
}
