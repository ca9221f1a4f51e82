import type { ErrorCode } from "./error-codes.ts";

/** An error that is reported to the caller. Any other error becomes `internal_error` without details. */
export abstract class ServiceError extends Error {
  abstract readonly code: ErrorCode;
  override get name(): string {
    return this.constructor.name;
  }
}

/** The input is malformed. `field` is the path of the parameter, such as `paymentRequirements.accepts[0].payTo`. */
export class InvalidRequestError extends ServiceError {
  readonly code = "invalid_request";
  readonly field: string | null;
  constructor(message: string, field: string | null = null) {
    super(message);
    this.field = field;
  }
}

/** The credential is missing, unknown, expired or revoked; the response does not reveal which. */
export class UnauthorizedError extends ServiceError {
  readonly code = "unauthorized";
  constructor(message = "Authentication is missing or invalid.") {
    super(message);
  }
}

/** The credential is valid but does not permit the operation. */
export class ForbiddenError extends ServiceError {
  readonly code = "forbidden";
}

/** The object does not exist, or belongs to another account. */
export class NotFoundError extends ServiceError {
  readonly code = "not_found";
}

/** Too many requests. The caller may retry after `retryAfterMs`. */
export class RateLimitedError extends ServiceError {
  readonly code = "rate_limited";
  readonly retryAfterMs: number;
  constructor(message: string, retryAfterMs: number) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}
