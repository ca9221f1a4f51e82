/**
 * Failures as data: members of an operation's result union, all with the interface `Error`. Only the service's own
 * errors are ever registered here. A missing or invalid credential is no member: it is about the request, not the
 * operation, and comes as a GraphQL error with `extensions.code` "unauthorized", as clients' auth links expect.
 */

import {
  TargetResponseInvalidError,
  TargetTimeoutError,
  TargetUnreachableError,
  UrlNotAllowedError,
} from "../src/platform/egress/errors.ts";
import { describeError, ERROR_CODES, type ErrorCode } from "../src/platform/error-codes.ts";
import { ForbiddenError, InvalidRequestError, NotFoundError, RateLimitedError } from "../src/platform/errors.ts";
import { IdempotencyInFlightError, IdempotencyKeyReusedError } from "../src/platform/idempotency/claim.ts";
import { builder } from "./builder.ts";

const ErrorCodeEnum = builder.enumType("ErrorCode", {
  description: "What went wrong, for programs. The same codes as `error` over REST; a code never changes its meaning.",
  values: Object.fromEntries(ERROR_CODES.map((code) => [code, { description: describeError(code).meaning }])) as Record<
    ErrorCode,
    { description: string }
  >,
});

const ErrorInterface = builder.interfaceRef<{ message: string; code: ErrorCode }>("Error").implement({
  description: "Why an operation was refused or failed.",
  fields: (t) => ({
    message: t.exposeString("message", {
      description: "What happened, what did not, and what to do, in plain words for a person.",
    }),
    code: t.expose("code", { type: ErrorCodeEnum, description: "The stable code of the failure." }),
  }),
});

/** What every error type is made from. */
export const errorOf = (description: string) => ({ description, interfaces: [ErrorInterface] });

builder.objectType(InvalidRequestError, {
  name: "InvalidRequestError",
  ...errorOf("The input is malformed."),
  fields: (t) => ({
    field: t.exposeString("field", {
      nullable: true,
      description: "The place in the input, such as `paymentRequirements.accepts[0].payTo`.",
    }),
  }),
});

builder.objectType(ForbiddenError, {
  name: "ForbiddenError",
  ...errorOf("The credential is valid but may not do this."),
});

builder.objectType(NotFoundError, { name: "NotFoundError", ...errorOf("There is no such object for this caller.") });

builder.objectType(RateLimitedError, {
  name: "RateLimitedError",
  ...errorOf("Too many requests."),
  fields: (t) => ({ retryAfterMs: t.exposeInt("retryAfterMs", { description: "How long to wait, in milliseconds." }) }),
});

builder.objectType(UrlNotAllowedError, {
  name: "UrlNotAllowedError",
  ...errorOf("The address may not be called: its scheme, credentials in it, or a private address behind it."),
  fields: (t) => ({ field: t.exposeString("field", { nullable: true, description: "The place in the input." }) }),
});

/** Set on errors of a target that was paid before it failed. */
const transactionIdOf = (error: object): string | null =>
  "transactionId" in error && typeof error.transactionId === "string" ? error.transactionId : null;
const PAID = "The ledger's id of the payment that was sent before the failure; null when nothing was paid.";

builder.objectType(TargetUnreachableError, {
  name: "TargetUnreachableError",
  ...errorOf("The target could not be reached, or the connection broke."),
  fields: (t) => ({ paidTransactionId: t.string({ nullable: true, description: PAID, resolve: transactionIdOf }) }),
});

builder.objectType(TargetTimeoutError, {
  name: "TargetTimeoutError",
  ...errorOf("The target did not answer in time."),
  fields: (t) => ({ paidTransactionId: t.string({ nullable: true, description: PAID, resolve: transactionIdOf }) }),
});

builder.objectType(TargetResponseInvalidError, {
  name: "TargetResponseInvalidError",
  ...errorOf("The target's answer is not usable HTTP, or larger than allowed."),
  fields: (t) => ({ paidTransactionId: t.string({ nullable: true, description: PAID, resolve: transactionIdOf }) }),
});

builder.objectType(IdempotencyKeyReusedError, {
  name: "IdempotencyKeyReusedError",
  ...errorOf("The Idempotency-Key came before with another request. Nothing was done."),
  fields: (t) => ({ field: t.exposeString("field", { nullable: true, description: "The place in the input." }) }),
});

builder.objectType(IdempotencyInFlightError, {
  name: "IdempotencyInFlightError",
  ...errorOf("The first request with this Idempotency-Key is still under way."),
});

/** What any operation with an input may be refused with. */
export const INPUT_ERRORS = [InvalidRequestError, ForbiddenError, NotFoundError];

/** The same where there is an end to how often it may be asked, or to how much of it may wait for one account. */
export const BOUNDED_ERRORS = [...INPUT_ERRORS, RateLimitedError];
/** What an operation with an Idempotency-Key may be refused with besides. */
export const IDEMPOTENCY_ERRORS = [IdempotencyKeyReusedError, IdempotencyInFlightError];
/** What calling a target may fail with. */
export const TARGET_ERRORS = [
  UrlNotAllowedError,
  TargetUnreachableError,
  TargetTimeoutError,
  TargetResponseInvalidError,
];
