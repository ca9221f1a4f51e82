/** Failures as REST writes them: `{ error, error_description, message }`, the field at fault, and the figures (spec section 7). */
import { type ExecutionResult, GraphQLError } from "graphql";
import { isUnstorableText, UNSTORABLE_TEXT } from "../src/platform/database/errors.ts";
import { InvalidRequestError, RateLimitedError, ServiceError } from "../src/platform/errors.ts";
import { UNEXPECTED_TEXT } from "../src/platform/http/error-response.ts";
import { formatDecimal } from "../src/platform/money.ts";
import { checkoutFigures } from "./checkout-figures.ts";
import type { Everything } from "./every-failure.ts";
import { type FailureAnswer, failureOf } from "./failure-answer.ts";
import type { Failure, Route } from "./route.ts";
import { isErrorCode } from "./status.ts";

/** USDC's decimals: the only asset that X402 payments are made in. */
const USDC_DECIMALS = 6;

/** A member of a result union. */
export function unionFailure(route: Route, failure: Failure): FailureAnswer {
  const { code, message, retryAfterMs, paidTransactionId, isQueued, detail } = failure as Everything;
  const field = (failure as Everything).field ?? (code === "ship_to_invalid" ? `shipTo.${detail}` : null);
  const headers: Record<string, string> = {};
  if (retryAfterMs !== undefined) headers["retry-after"] = String(Math.ceil(retryAfterMs / 1_000));
  if (paidTransactionId) headers["x-satchel-payment-id"] = paidTransactionId;
  // What is kept is tried again here, and what was refused for good would be refused again.
  if (isQueued !== undefined) headers["x-should-retry"] = "false";
  const named = rename(route, message, field);
  const paid = paidTransactionId ? { paymentId: paidTransactionId } : {};
  const answer = failureOf(code, named.text, { ...named.details, ...figures(failure as Everything), ...paid });
  return { ...answer, headers: { ...answer.headers, ...headers } };
}

/** What GraphQL itself reports: an error that is no member of a union, or variables that do not fit. */
export function executionFailure(
  route: Route,
  result: ExecutionResult,
  requestId: string,
  report: (error: unknown) => void,
): FailureAnswer {
  const [error] = result.errors ?? [];
  const cause = error?.originalError ?? error;
  if (isUnstorableText(cause)) return failureOf("invalid_request", UNSTORABLE_TEXT);
  if (cause instanceof ServiceError) {
    const named = rename(route, cause.message, "field" in cause ? (cause.field as string | null) : null);
    return soon(cause, failureOf(cause.code, named.text, named.details));
  }
  // Variables were refused before anything ran: a scalar was stricter than the route's own check.
  if (error && !("data" in result) && isVariableError(error)) {
    const field = / at "(?:input\.|filter\.)?([\w.[\]]+)"/.exec(error.message)?.[1] ?? null;
    const named = rename(
      route,
      `${field ?? "The input"} ${error.message.split("; ").at(-1) ?? "is not valid."}`,
      field,
    );
    return failureOf("invalid_request", named.text, named.details);
  }
  const code = cause instanceof GraphQLError ? cause.extensions?.["code"] : undefined;
  if (isErrorCode(code) && code !== "internal_error") return failureOf(code, cause?.message ?? "");
  report(cause ?? new Error("The operation answered nothing."));
  return internalFailure(requestId);
}

export function internalFailure(requestId: string): FailureAnswer {
  return failureOf("internal_error", UNEXPECTED_TEXT, { request_id: requestId });
}

/** A refusal from before the operation ran. */
export function serviceFailure(error: ServiceError): FailureAnswer {
  const hasField = error instanceof InvalidRequestError && error.field !== null;
  return soon(error, failureOf(error.code, error.message, hasField ? { field: error.field } : {}));
}

/** Says when to come back, where that is known. */
function soon(error: ServiceError, answer: FailureAnswer): FailureAnswer {
  if (!(error instanceof RateLimitedError)) return answer;
  return { ...answer, headers: { "retry-after": String(Math.ceil(error.retryAfterMs / 1_000)) } };
}

function isVariableError(error: GraphQLError): boolean {
  return error.path === undefined && error.message.startsWith("Variable ");
}

function rename(route: Route, message: string, field: string | null) {
  if (field === null) return { text: message, details: {} };
  const name = route.fieldNames[field] ?? field;
  const text = message.startsWith(`${field} `) ? name + message.slice(field.length) : message;
  return { text, details: { field: name } };
}

/** The figures behind a 402. US dollars are numbers, as `amountPaid` is; atomic amounts are integers, as `maxValue` is. */
function figures(failure: Everything): Record<string, unknown> {
  const { code, considered } = failure;
  const accepts = failure.accepts ? { accepts: failure.accepts } : {};
  if (code === "spending_limit_exceeded") {
    const { limitUsd, remainingUsd, requiredUsd, period } = failure;
    const amounts = { limit: Number(limitUsd), remaining: Number(remainingUsd), required: Number(requiredUsd) };
    return { ...amounts, currency: "USD", period, ...accepts };
  }
  if (code === "insufficient_balance") {
    const { network, asset, remainingAtomic, requiredAtomic, symbol = "USDC", decimals } = failure;
    const [remaining, required] = [remainingAtomic, requiredAtomic].map((atomic) => amountOf(atomic, symbol, decimals));
    return { remaining, required, currency: symbol === "USDC" ? "USD" : symbol, network, asset, ...accepts };
  }
  if (code === "trade_failed") {
    const { txHash, tradeId } = failure;
    return { ...(txHash ? { txHash } : {}), ...(tradeId ? { id: tradeId } : {}) };
  }
  if (code === "mail_failed" && failure.mailMessage) {
    const { messageId: id, internetMessageId: messageId } = failure.mailMessage;
    return { queued: failure.isQueued, id, messageId };
  }
  if (code === "max_value_exceeded") {
    const limit = integer(failure.limitAtomic);
    return { limit, remaining: limit, required: integer(failure.requiredAtomic), unit: "atomic", ...accepts };
  }
  if (code === "no_acceptable_requirement") return { ...accepts, considered };
  return checkoutFigures(failure);
}

/** US dollars are numbers; of other tokens a number would lose digits. */
function amountOf(amountAtomic: string | undefined, symbol: string, decimals = USDC_DECIMALS): number | string {
  const decimal = formatDecimal(BigInt(amountAtomic ?? 0), decimals);
  return symbol === "USDC" ? Number(decimal) : decimal;
}

function integer(amountAtomic: string | undefined): number | string | undefined {
  const value = Number(amountAtomic);
  return Number.isSafeInteger(value) ? value : amountAtomic;
}
