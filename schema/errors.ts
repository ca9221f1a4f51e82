/**
 * Errors as members of an operation's result union, all with the interface `Error`. Only the service's own errors are
 * registered here. A missing or invalid credential concerns the request, not the operation: it is a GraphQL error with
 * `extensions.code` "unauthorized", as clients' auth links expect.
 */

import {
  TargetResponseInvalidError,
  TargetTimeoutError,
  TargetUnreachableError,
  UrlNotAllowedError,
} from "../src/platform/egress/errors.ts";
import { describeError, ERROR_CODES, type ErrorCode } from "../src/platform/error-codes.ts";
import {
  ForbiddenError,
  type InputProblem,
  InvalidRequestError,
  NotFoundError,
  RateLimitedError,
} from "../src/platform/errors.ts";
import { IdempotencyInFlightError, IdempotencyKeyReusedError } from "../src/platform/idempotency/claim.ts";
import { builder } from "./builder.ts";
import { wireEnum } from "./wire-enum.ts";

export const ErrorCodeEnum = wireEnum<ErrorCode>(
  "ErrorCode",
  "Machine-readable error code: `NOT_FOUND` for `not_found`, the `error` over REST. The meaning of a code never changes.",
  Object.fromEntries(ERROR_CODES.map((code) => [code, describeError(code).meaning])) as Record<ErrorCode, string>,
);

const ErrorInterface = builder.interfaceRef<{ message: string; code: ErrorCode }>("Error").implement({
  description: "An error of an operation.",
  fields: (t) => ({
    message: t.exposeString("message", {
      description: "Human-readable message: the failure, its effect and the next step.",
    }),
    code: t.expose("code", { type: ErrorCodeEnum, description: "The stable error code." }),
  }),
});

/** Returns the options common to all error types. */
export const createErrorOptions = (description: string) => ({ description, interfaces: [ErrorInterface] });

const InputProblemType = builder.objectRef<InputProblem>("InputProblem").implement({
  description: "A problem of one value of the input.",
  fields: (t) => ({
    path: t.exposeStringList("path", {
      description: "The names and list indexes from the argument to the value, such as `input`, `items`, `0`, `sku`.",
    }),
    message: t.exposeString("message", { description: "Human-readable message, which names the value's field." }),
  }),
});

builder.objectType(InvalidRequestError, {
  name: "InvalidRequestError",
  ...createErrorOptions("The input is malformed. `message` and `field` are those of the first problem."),
  fields: (t) => ({
    problems: t.expose("problems", { type: [InputProblemType], description: "All problems of the input." }),
    field: t.exposeString("field", {
      nullable: true,
      description: "The path of the invalid field in the input, such as `paymentRequirements.accepts[0].payTo`.",
    }),
  }),
});

builder.objectType(ForbiddenError, {
  name: "ForbiddenError",
  ...createErrorOptions("The credential is valid but lacks permission for this operation."),
});

builder.objectType(NotFoundError, {
  name: "NotFoundError",
  ...createErrorOptions("The object does not exist or is not visible to the caller."),
});

builder.objectType(RateLimitedError, {
  name: "RateLimitedError",
  ...createErrorOptions("Too many requests."),
  fields: (t) => ({
    retryAfterMs: t.exposeInt("retryAfterMs", { description: "The time to wait before a retry, in milliseconds." }),
  }),
});

builder.objectType(UrlNotAllowedError, {
  name: "UrlNotAllowedError",
  ...createErrorOptions(
    "The URL is not allowed: its scheme is unsupported, it contains credentials, or its IP address is private.",
  ),
  fields: (t) => ({
    field: t.exposeString("field", { nullable: true, description: "The path of the field in the input." }),
  }),
});

/** Returns the payment's transaction id, set on the error of a target that failed after the payment. */
const transactionIdOf = (error: object): string | null =>
  "transactionId" in error && typeof error.transactionId === "string" ? error.transactionId : null;
const PAID = "The ledger id of the payment sent before the failure; null if nothing was paid.";

builder.objectType(TargetUnreachableError, {
  name: "TargetUnreachableError",
  ...createErrorOptions("The target could not be reached, or the connection broke."),
  fields: (t) => ({ paidTransactionId: t.id({ nullable: true, description: PAID, resolve: transactionIdOf }) }),
});

builder.objectType(TargetTimeoutError, {
  name: "TargetTimeoutError",
  ...createErrorOptions("The target did not respond in time."),
  fields: (t) => ({ paidTransactionId: t.id({ nullable: true, description: PAID, resolve: transactionIdOf }) }),
});

builder.objectType(TargetResponseInvalidError, {
  name: "TargetResponseInvalidError",
  ...createErrorOptions("The target's response is not valid HTTP or exceeds the size limit."),
  fields: (t) => ({ paidTransactionId: t.id({ nullable: true, description: PAID, resolve: transactionIdOf }) }),
});

builder.objectType(IdempotencyKeyReusedError, {
  name: "IdempotencyKeyReusedError",
  ...createErrorOptions("The Idempotency-Key was already used with a different request. Nothing was done."),
  fields: (t) => ({
    field: t.exposeString("field", { nullable: true, description: "The path of the field in the input." }),
  }),
});

builder.objectType(IdempotencyInFlightError, {
  name: "IdempotencyInFlightError",
  ...createErrorOptions("The first request with this Idempotency-Key is still in flight."),
});

/** Errors common to all operations with an input. */
export const INPUT_ERRORS = [InvalidRequestError, ForbiddenError, NotFoundError];

/** Errors of operations with a rate limit or a per-account limit on pending items. */
export const BOUNDED_ERRORS = [...INPUT_ERRORS, RateLimitedError];
/** Additional errors of operations that accept an Idempotency-Key. */
export const IDEMPOTENCY_ERRORS = [IdempotencyKeyReusedError, IdempotencyInFlightError];
/** Errors of a call to a target. */
export const TARGET_ERRORS = [
  UrlNotAllowedError,
  TargetUnreachableError,
  TargetTimeoutError,
  TargetResponseInvalidError,
];
