/** Errors in OpenAI's format, `{ error: { message, type, code, param } }`, and whether clients may retry them automatically. */
import type { FastifyReply } from "fastify";
import { type ExecutionResult, GraphQLError } from "graphql";
import { convertDatabaseError } from "../../src/platform/database/errors.ts";
import { ServiceError, ServiceUnavailableError } from "../../src/platform/errors.ts";
import { addBearerChallenge } from "../bearer-challenge.ts";
import type { ErrorCode } from "../generated/graphql.ts";
import type { Failure } from "../route.ts";
import { isErrorCode, STATUS } from "../status.ts";

export interface OpenAiFailure {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly error: object;
}

/** A failure of a result union, with the fields of all its members. */
type FailureDetails = Failure & {
  readonly field?: string | null;
  readonly retryAfterMs?: number;
  readonly paidTransactionId?: string | null;
  readonly providerRetryAfterMs?: number | null;
  readonly providerStatus?: number;
  readonly providerError?: unknown;
};

/** Codes that the contract names for unpaid calls: a limit was exceeded, or payment is required (decisions, "Gateway"). */
const PAYMENT_CODES: Readonly<Record<string, string>> = {
  spending_limit_exceeded: "spending_limit_exceeded",
  insufficient_balance: "payment_required",
  max_value_exceeded: "payment_required",
  no_acceptable_requirement: "payment_required",
};

/** OpenAI's error types by HTTP status. */
const TYPES: Readonly<Record<number, string>> = {
  401: "authentication_error",
  402: "payment_error",
  403: "permission_error",
  429: "rate_limit_error",
};

/** Returns true for statuses that OpenAI's clients retry automatically. They must not retry once a payment was or may have been made. */
export const isRetried = (status: number) => status === 408 || status === 409 || status === 429 || status >= 500;

/** Returns the code that an OpenAI client receives for an error code. */
export function toOpenAiCode(code: ErrorCode): string {
  return PAYMENT_CODES[code] ?? code;
}

export function createOpenAiFailure(
  code: ErrorCode,
  message: string,
  param: string | null = null,
  status: number = STATUS[code],
): OpenAiFailure {
  const type = TYPES[status] ?? (status >= 500 ? "server_error" : "invalid_request_error");
  return { status, error: { message, type, code: toOpenAiCode(code), param } };
}

export function convertUnionFailure(failure: FailureDetails): OpenAiFailure {
  const { code, message, field, paidTransactionId, providerStatus, providerError } = failure;
  const retryAfterMs = failure.retryAfterMs ?? failure.providerRetryAfterMs ?? undefined;
  const param = field === "idempotencyKey" ? "Idempotency-Key" : (field ?? null);
  const plain = createOpenAiFailure(code, message, param, providerStatus);
  const isPaymentPossible = Boolean(paidTransactionId) || code === "idempotency_in_flight";
  const headers = {
    ...(retryAfterMs === undefined ? {} : { "retry-after": String(Math.ceil(retryAfterMs / 1_000)) }),
    ...(paidTransactionId ? { "x-satchel-payment-id": paidTransactionId } : { "x-satchel-cost-usd": "0.00" }),
    ...(isPaymentPossible && isRetried(plain.status) ? { "x-should-retry": "false" } : {}),
  };
  const isProviderError = typeof providerError === "object" && providerError !== null;
  return { status: plain.status, headers, error: isProviderError ? { ...plain.error, ...providerError } : plain.error };
}

/** Converts an error of GraphQL's `errors`, as opposed to a member of the result union. */
export function convertExecutionFailure(
  { errors = [] }: ExecutionResult,
  requestId: string,
  report: (error: unknown) => void,
): OpenAiFailure {
  const cause = convertDatabaseError(errors[0]?.originalError ?? errors[0]) as Error | undefined;
  if (cause instanceof ServiceError) return convertServiceError(cause);
  const code = cause instanceof GraphQLError ? cause.extensions?.["code"] : undefined;
  if (isErrorCode(code) && code !== "internal_error") return createOpenAiFailure(code, cause?.message ?? "");
  if (cause?.message.startsWith("Variable ")) return createOpenAiFailure("invalid_request", cause.message);
  report(cause ?? new Error("The operation returned neither data nor an error."));
  return createInternalFailure(requestId);
}

/** Converts an error that is no member of the result union. */
export function convertServiceError(error: ServiceError): OpenAiFailure {
  const field = "field" in error ? (error.field as string | null) : null;
  const failure = createOpenAiFailure(error.code, error.message, field);
  if (!(error instanceof ServiceUnavailableError)) return failure;
  return { ...failure, headers: { "retry-after": String(Math.ceil(error.retryAfterMs / 1_000)) } };
}

/** Creates the failure for an unexpected error. A payment may have been made before it, hence `x-should-retry: false`. */
export function createInternalFailure(requestId: string): OpenAiFailure {
  const message = `The service failed unexpectedly. Quote the request ID when you report it: ${requestId}`;
  return { ...createOpenAiFailure("internal_error", message), headers: { "x-should-retry": "false" } };
}

export function sendOpenAiFailure(reply: FastifyReply, { status, headers = {}, error }: OpenAiFailure): FastifyReply {
  if (status === 401) addBearerChallenge(reply);
  return reply.code(status).headers(headers).send({ error });
}
