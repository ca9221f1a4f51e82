/** Errors in the REST format: `{ error, error_description, message }`, the invalid field, and amounts (spec section 7). */
import { type ExecutionResult, GraphQLError } from "graphql";
import { convertDatabaseError, isUnstorableText, UNSTORABLE_TEXT } from "../src/platform/database/errors.ts";
import {
  InvalidRequestError,
  RateLimitedError,
  ServiceError,
  ServiceUnavailableError,
} from "../src/platform/errors.ts";
import { InvalidValue } from "../src/platform/graphql/invalid-value.ts";
import { UNEXPECTED_TEXT } from "../src/platform/http/error-response.ts";
import type { AnyFailure } from "./any-failure.ts";
import { getCheckoutDetails } from "./checkout-details.ts";
import { createFailure, type FailureResponse } from "./failure-response.ts";
import type { Failure, Route } from "./route.ts";
import { isErrorCode } from "./status.ts";
import { formatTokenAmount } from "./token-amount.ts";

/** Converts a failure of a result union. */
export function convertUnionFailure(route: Route, failure: Failure): FailureResponse {
  const { code, message, retryAfterMs, paidTransactionId, isQueued, detail } = failure as AnyFailure;
  const field = (failure as AnyFailure).field ?? (code === "ship_to_invalid" ? `shipTo.${detail}` : null);
  const headers: Record<string, string> = {};
  if (retryAfterMs !== undefined) headers["retry-after"] = String(Math.ceil(retryAfterMs / 1_000));
  if (paidTransactionId) headers["x-satchel-payment-id"] = paidTransactionId;
  // The service retries a queued email itself, and a permanent rejection would be repeated.
  if (isQueued !== undefined) headers["x-should-retry"] = "false";
  const named = renameField(route, message, field);
  const paid = paidTransactionId ? { paymentId: paidTransactionId } : {};
  const response = createFailure(code, named.text, { ...named.details, ...getDetails(failure as AnyFailure), ...paid });
  return { ...response, headers: { ...response.headers, ...headers } };
}

/** Converts an error of GraphQL's `errors`: one outside of the result union, or variables that fail coercion. */
export function convertExecutionFailure(
  route: Route,
  result: ExecutionResult,
  requestId: string,
  report: (error: unknown) => void,
): FailureResponse {
  const [error] = result.errors ?? [];
  const cause = convertDatabaseError(error?.originalError ?? error) as Error | undefined;
  if (isUnstorableText(cause)) return createFailure("invalid_request", UNSTORABLE_TEXT);
  if (cause instanceof ServiceError) {
    const named = renameField(route, cause.message, "field" in cause ? (cause.field as string | null) : null);
    return addRetryAfter(cause, createFailure(cause.code, named.text, named.details));
  }
  // Variable coercion failed before execution: a scalar is stricter than the route's own check.
  if (error && !("data" in result) && isVariableError(error)) {
    const field = / at "(?:input\.|filter\.)?([\w.[\]]+)"/.exec(error.message)?.[1] ?? null;
    const reason =
      error.originalError instanceof InvalidValue ? `${error.originalError.reason}.` : error.message.split("; ").at(-1);
    const named = renameField(route, `${field ?? "The input"} ${reason ?? "is not valid."}`, field);
    return createFailure("invalid_request", named.text, named.details);
  }
  const code = cause instanceof GraphQLError ? cause.extensions?.["code"] : undefined;
  if (isErrorCode(code) && code !== "internal_error") return createFailure(code, cause?.message ?? "");
  report(cause ?? new Error("The operation returned neither data nor an error."));
  return createInternalFailure(requestId);
}

export function createInternalFailure(requestId: string): FailureResponse {
  return createFailure("internal_error", UNEXPECTED_TEXT, { request_id: requestId });
}

/** Converts an error that was thrown before the operation ran. */
export function convertServiceError(error: ServiceError): FailureResponse {
  const hasField = error instanceof InvalidRequestError && error.field !== null;
  return addRetryAfter(error, createFailure(error.code, error.message, hasField ? { field: error.field } : {}));
}

/** Adds `Retry-After` to the response of an error that states when to retry. */
function addRetryAfter(error: ServiceError, response: FailureResponse): FailureResponse {
  if (!(error instanceof RateLimitedError || error instanceof ServiceUnavailableError)) return response;
  return { ...response, headers: { "retry-after": String(Math.ceil(error.retryAfterMs / 1_000)) } };
}

function isVariableError(error: GraphQLError): boolean {
  return error.path === undefined && error.message.startsWith("Variable ");
}

function renameField(route: Route, message: string, field: string | null) {
  if (field === null) return { text: message, details: {} };
  const name = route.fieldNames[field] ?? field;
  const text = message.startsWith(`${field} `) ? name + message.slice(field.length) : message;
  return { text, details: { field: name } };
}

type BalanceFailure = Required<Pick<AnyFailure, "network" | "remaining" | "required">>;

/**
 * Returns the amounts and other details of a failure. US dollars are numbers, as in `amountPaid`; atomic amounts are
 * integers, as in `maxValue`.
 */
function getDetails(failure: AnyFailure): Record<string, unknown> {
  const { code, considered } = failure;
  const accepts = failure.accepts ? { accepts: failure.accepts } : {};
  if (code === "spending_limit_exceeded") {
    const { limitUsd, remainingUsd, requiredUsd, period } = failure;
    const amounts = { limit: Number(limitUsd), remaining: Number(remainingUsd), required: Number(requiredUsd) };
    return { ...amounts, currency: "USD", period, ...accepts };
  }
  if (code === "insufficient_balance") {
    const { network, remaining, required } = failure as BalanceFailure;
    const { symbol, decimals, asset } = required;
    return {
      remaining: formatAmount({ ...remaining, symbol, decimals }),
      required: formatAmount(required),
      currency: symbol === "USDC" ? "USD" : symbol,
      network,
      asset,
      ...accepts,
    };
  }
  if (code === "trade_failed") {
    const { txHash, failedTrade } = failure;
    return { ...(txHash ? { txHash } : {}), ...(failedTrade ? { id: failedTrade.tradeId } : {}) };
  }
  if (code === "mail_failed" && failure.mailMessage) {
    const { messageId: id, internetMessageId: messageId } = failure.mailMessage;
    return { queued: failure.isQueued, id, messageId };
  }
  if (code === "max_value_exceeded") {
    const limit = toSafeInteger(failure.limit?.atomic);
    return { limit, remaining: limit, required: toSafeInteger(failure.required?.atomic), unit: "atomic", ...accepts };
  }
  if (code === "no_acceptable_requirement") return { ...accepts, considered };
  return getCheckoutDetails(failure);
}

/** Returns US dollars as a number, and other tokens as a string: a number would lose digits. */
function formatAmount(amount: Omit<BalanceFailure["required"], "asset">): number | string {
  const decimal = formatTokenAmount(amount);
  return amount.symbol === "USDC" ? Number(decimal) : decimal;
}

function toSafeInteger(amountAtomic: string | undefined): number | string | undefined {
  const value = Number(amountAtomic);
  return Number.isSafeInteger(value) ? value : amountAtomic;
}
