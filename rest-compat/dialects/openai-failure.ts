/** Failures as OpenAI's clients read them: `{ error: { message, type, code, param } }`, and whether to ask again by themselves. */
import type { FastifyReply } from "fastify";
import { type ExecutionResult, GraphQLError } from "graphql";
import { ServiceError } from "../../src/platform/errors.ts";
import { bearerChallenge } from "../bearer-challenge.ts";
import type { ErrorCode } from "../generated/graphql.ts";
import type { Failure } from "../route.ts";
import { isErrorCode, STATUS } from "../status.ts";

export interface OpenAiFailure {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly error: object;
}

/** A result union's failure with every field that some of them have. */
type Details = Failure & {
  readonly field?: string | null;
  readonly retryAfterMs?: number;
  readonly paidTransactionId?: string | null;
  readonly providerStatus?: number;
  readonly providerError?: unknown;
};

/** What the contract calls the two ways of not being paid for (decisions, "Gateway"). */
const PAYMENT_CODES: Readonly<Record<string, string>> = {
  spending_limit_exceeded: "spending_limit_exceeded",
  insufficient_balance: "payment_required",
  max_value_exceeded: "payment_required",
  no_acceptable_requirement: "payment_required",
};

/** OpenAI's own words for kinds of failures. */
const TYPES: Readonly<Record<number, string>> = {
  401: "authentication_error",
  402: "payment_error",
  403: "permission_error",
  429: "rate_limit_error",
};

/** Clients ask again after these by themselves, which must not be once money has moved, or may have. */
export const isRetried = (status: number) => status === 408 || status === 409 || status === 429 || status >= 500;

/** A code as OpenAI's clients are told it. */
export function openAiCode(code: ErrorCode): string {
  return PAYMENT_CODES[code] ?? code;
}

export function openAiFailure(
  code: ErrorCode,
  message: string,
  param: string | null = null,
  status: number = STATUS[code],
): OpenAiFailure {
  const type = TYPES[status] ?? (status >= 500 ? "server_error" : "invalid_request_error");
  return { status, error: { message, type, code: openAiCode(code), param } };
}

export function unionFailure(failure: Details): OpenAiFailure {
  const { code, message, field, retryAfterMs, paidTransactionId, providerStatus, providerError } = failure;
  const param = field === "idempotencyKey" ? "Idempotency-Key" : (field ?? null);
  const plain = openAiFailure(code, message, param, providerStatus);
  const mayHaveMoved = Boolean(paidTransactionId) || code === "idempotency_in_flight";
  const headers = {
    ...(retryAfterMs === undefined ? {} : { "retry-after": String(Math.ceil(retryAfterMs / 1_000)) }),
    ...(paidTransactionId ? { "x-satchel-payment-id": paidTransactionId } : { "x-satchel-cost-usd": "0.00" }),
    ...(mayHaveMoved && isRetried(plain.status) ? { "x-should-retry": "false" } : {}),
  };
  const isTheirs = typeof providerError === "object" && providerError !== null;
  return { status: plain.status, headers, error: isTheirs ? { ...plain.error, ...providerError } : plain.error };
}

/** What GraphQL itself reports. */
export function executionFailure(
  { errors = [] }: ExecutionResult,
  requestId: string,
  report: (error: unknown) => void,
): OpenAiFailure {
  const cause = errors[0]?.originalError ?? errors[0];
  if (cause instanceof ServiceError) {
    return openAiFailure(cause.code, cause.message, "field" in cause ? (cause.field as string | null) : null);
  }
  const code = cause instanceof GraphQLError ? cause.extensions?.["code"] : undefined;
  if (isErrorCode(code) && code !== "internal_error") return openAiFailure(code, cause?.message ?? "");
  if (cause?.message.startsWith("Variable ")) return openAiFailure("invalid_request", cause.message);
  report(cause ?? new Error("The operation answered nothing."));
  return internalFailure(requestId);
}

/** What moved before an unexpected failure is not known, so that nobody asks again by themselves. */
export function internalFailure(requestId: string): OpenAiFailure {
  const message = `Something went wrong here. Quote the request id when you report it: ${requestId}`;
  return { ...openAiFailure("internal_error", message), headers: { "x-should-retry": "false" } };
}

export function sendOpenAiFailure(reply: FastifyReply, { status, headers = {}, error }: OpenAiFailure): FastifyReply {
  if (status === 401) reply.headers(bearerChallenge(reply.request));
  return reply.code(status).headers(headers).send({ error });
}
