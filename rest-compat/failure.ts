/** Errors in the REST format: `{ error, error_description, message }`, the invalid field, and amounts (spec section 7). */
import type { ExecutionResult } from "graphql";
import {
  InvalidRequestError,
  RateLimitedError,
  type ServiceError,
  ServiceUnavailableError,
} from "../src/platform/errors.ts";
import { readExecutionFailure } from "../src/platform/graphql/execution-failure.ts";
import { UNEXPECTED_TEXT } from "../src/platform/http/error-response.ts";
import type { AnyFailure } from "./any-failure.ts";
import { getCheckoutDetails } from "./checkout-details.ts";
import { createFailure, type FailureResponse } from "./failure-response.ts";
import type { Failure, Route } from "./route.ts";
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
  const failure = readExecutionFailure(result);
  if ("unexpected" in failure) {
    report(failure.unexpected);
    return createInternalFailure(requestId);
  }
  const named = renameField(route, failure.message, failure.field);
  return addRetryAfter(failure.retryAfterMs, createFailure(failure.code, named.text, named.details));
}

export function createInternalFailure(requestId: string): FailureResponse {
  return createFailure("internal_error", UNEXPECTED_TEXT, { request_id: requestId });
}

/** Converts an error that was thrown before the operation ran. */
export function convertServiceError(error: ServiceError): FailureResponse {
  const hasField = error instanceof InvalidRequestError && error.field !== null;
  const isTemporary = error instanceof RateLimitedError || error instanceof ServiceUnavailableError;
  const failure = createFailure(error.code, error.message, hasField ? { field: error.field } : {});
  return addRetryAfter(isTemporary ? error.retryAfterMs : null, failure);
}

/** Adds `Retry-After` to the response of an error that states when to retry. */
function addRetryAfter(retryAfterMs: number | null, response: FailureResponse): FailureResponse {
  if (retryAfterMs === null) return response;
  return { ...response, headers: { "retry-after": String(Math.ceil(retryAfterMs / 1_000)) } };
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
