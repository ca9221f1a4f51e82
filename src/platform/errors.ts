import type { ErrorCode } from "./error-codes.ts";

/** A failure the caller is told about. Anything else that is thrown becomes `internal_error` and tells nothing. */
export abstract class ServiceError extends Error {
  abstract readonly code: ErrorCode;
  override get name(): string {
    return this.constructor.name;
  }
}

/** The input is malformed; `field` names where, as a path such as `paymentRequirements.accepts[0].payTo`. */
export class InvalidRequestError extends ServiceError {
  readonly code = "invalid_request";
  readonly field: string | null;
  constructor(message: string, field: string | null = null) {
    super(message);
    this.field = field;
  }
}

/** No credential, or one that is unknown, expired or revoked (not said which). */
export class UnauthorizedError extends ServiceError {
  readonly code = "unauthorized";
  constructor(message = "Authentication is missing or invalid.") {
    super(message);
  }
}

/** The credential is valid but may not do this. */
export class ForbiddenError extends ServiceError {
  readonly code = "forbidden";
}

/** There is no such object for this caller. */
export class NotFoundError extends ServiceError {
  readonly code = "not_found";
}

/** Too many requests; try again after `retryAfterMs`. */
export class RateLimitedError extends ServiceError {
  readonly code = "rate_limited";
  readonly retryAfterMs: number;
  constructor(message: string, retryAfterMs: number) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}
