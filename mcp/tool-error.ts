/** Failures of a tool call: the error code, what happened to the money, and the next step. */
import type { ExecutionResult } from "graphql";
import type { ErrorCode } from "../src/platform/error-codes.ts";
import { ServiceError } from "../src/platform/errors.ts";
import { readExecutionFailure } from "../src/platform/graphql/execution-failure.ts";
import { UNEXPECTED_TEXT } from "../src/platform/http/error-response.ts";
import { nextStepOf, withoutStatement } from "./next-steps.ts";
import { untrusted } from "./untrusted.ts";

/** A member of a result union that is an error, as `tools/failure.graphql` selects it. */
export interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly field?: string | null;
  readonly retryAfterMs?: number;
  /** The payment that was sent before the failure. */
  readonly paidTransactionId?: string | null;
  /** Replaces the next step of the code. */
  readonly nextStep?: string;
  /** Key of the purchase, if the operation did not run. */
  readonly idempotencyKey?: string;
}

/** What a call affects. */
export type Subject = "money" | "email" | "order";

/** The statement about the subject, under its name, and the ids of what exists. */
export type Outcome = Readonly<Partial<Record<Subject, string>> & Record<string, unknown>>;

/** Thrown by a tool; becomes a result with `isError`. */
export class ToolError extends Error {
  readonly failure: Failure;
  /** Details for the model: amounts, ids. */
  readonly details: Readonly<Record<string, unknown>>;
  constructor(failure: Failure, details: Readonly<Record<string, unknown>> = {}) {
    super(failure.message);
    this.failure = failure;
    this.details = details;
  }
}

type SuccessOf<Result> = Exclude<Result, { readonly code: unknown }>;

/**
 * Returns the result of a union if it is not an error.
 * @param nextSteps replace the next steps of codes
 * @throws {ToolError} with the amounts and ids of the error
 */
export function requireSuccess<Result extends { readonly __typename: string }>(
  result: Result,
  nextSteps: Partial<Record<ErrorCode, string>> = {},
): SuccessOf<Result> {
  if (!("code" in result)) return result as SuccessOf<Result>;
  const { __typename, code, message, field, retryAfterMs, paidTransactionId, ...details } =
    result as unknown as Failure & Record<string, unknown>;
  const nextStep = nextSteps[code];
  throw new ToolError(
    {
      code,
      message,
      field: field ?? null,
      paidTransactionId: paidTransactionId ?? null,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      ...(nextStep ? { nextStep } : {}),
    },
    details,
  );
}

/** @throws {ToolError} because the object does not exist, or belongs to another account */
export function notFound(kind: string): never {
  throw new ToolError({ code: "not_found", message: `${kind} not found.` });
}

/**
 * Returns the error of a result without data.
 * @param report receives an unexpected error, for the log
 */
export function createExecutionError(result: ExecutionResult, requestId: string, report: (error: unknown) => void) {
  const failure = readExecutionFailure(result);
  if (!("unexpected" in failure)) {
    const { retryAfterMs, ...rest } = failure;
    return new ToolError(retryAfterMs === null ? rest : { ...rest, retryAfterMs });
  }
  report(failure.unexpected);
  return new ToolError({ code: "internal_error", message: UNEXPECTED_TEXT }, { request_id: requestId });
}

/** Returns a thrown error as a tool's error; null if it is unexpected. */
export function toToolError(error: unknown): ToolError | null {
  if (error instanceof ToolError) return error;
  if (!(error instanceof ServiceError)) return null;
  const field = "field" in error ? (error.field as string | null) : null;
  return new ToolError({ code: error.code, message: error.message, field });
}

/** Codes whose message repeats the text of another server. */
const WITH_FOREIGN_TEXT: readonly ErrorCode[] = [
  "model_not_found",
  "provider_failed",
  "provider_refused",
  "rate_limited",
  "tool_call_failed",
];

const IN_FLIGHT_RETRY_MS = 5_000;

/** Returns the message without atomic units, which models read as dollars. */
function describePrice({ required }: ToolError["details"]): string | null {
  if (!required) return null;
  const { amount, symbol } = required as { readonly amount: string; readonly symbol: string };
  return `The payment requires ${amount} ${symbol}, more than the maximum of this call.`;
}

/** Returns the JSON of an error for the model. */
export function describeToolError({ failure, details }: ToolError, outcome: Outcome): object {
  const { code, field, retryAfterMs = code === "idempotency_in_flight" ? IN_FLIGHT_RETRY_MS : undefined } = failure;
  // The outcome states what was paid. The message knows only its own request.
  const stated = (code === "max_value_exceeded" && describePrice(details)) || failure.message;
  const message = "money" in outcome ? withoutStatement(stated) : stated;
  return {
    error: {
      code,
      message: WITH_FOREIGN_TEXT.includes(code) ? untrusted(message) : message,
      ...(field ? { field } : {}),
      next_step: failure.nextStep ?? nextStepOf(code),
      ...(retryAfterMs === undefined ? {} : { retry_after_seconds: Math.ceil(retryAfterMs / 1_000) }),
      ...details,
      // Titles of a merchant's products.
      ...("nearest" in details ? { nearest: untrusted(details["nearest"]) } : {}),
      ...outcome,
    },
  };
}
