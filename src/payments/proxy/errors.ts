import {
  TargetResponseInvalidError,
  TargetTimeoutError,
  TargetUnreachableError,
  UrlNotAllowedError,
} from "../../platform/egress/errors.ts";

const OUTCOME_UNKNOWN =
  "The payment's outcome is not known yet: it settles if the target redeems it, and is released once it expires.";

/** The target was sent a payment and did not respond in time. Whether it accepted the payment is not known yet. */
export class PaidTargetTimeoutError extends TargetTimeoutError {
  readonly transactionId: string;
  constructor(transactionId: string, cause: Error) {
    super(`${cause.message} ${OUTCOME_UNKNOWN}`, { cause });
    this.transactionId = transactionId;
  }
}

/** The target was sent a payment and the connection failed. Whether it accepted the payment is not known yet. */
export class PaidTargetUnreachableError extends TargetUnreachableError {
  readonly transactionId: string;
  constructor(transactionId: string, cause: Error) {
    super(`${cause.message} ${OUTCOME_UNKNOWN}`, { cause });
    this.transactionId = transactionId;
  }
}

/** The target was sent a payment and its response is unusable. Whether it accepted the payment is not known yet. */
export class PaidTargetResponseInvalidError extends TargetResponseInvalidError {
  readonly transactionId: string;
  constructor(transactionId: string, cause: Error) {
    super(`${cause.message} ${OUTCOME_UNKNOWN}`, { cause });
    this.transactionId = transactionId;
  }
}

/** Returns the target's failure with the id of the payment sent. Returns other errors unchanged. */
export function withTransaction(error: Error, transactionId: string): Error {
  if (error instanceof TargetTimeoutError) return new PaidTargetTimeoutError(transactionId, error);
  if (error instanceof TargetUnreachableError) return new PaidTargetUnreachableError(transactionId, error);
  // After the payment a disallowed URL comes from the target's redirect, not from the caller.
  if (error instanceof TargetResponseInvalidError || error instanceof UrlNotAllowedError) {
    return new PaidTargetResponseInvalidError(transactionId, error);
  }
  return error;
}

/** Returns the target's failure with the statement that no payment was made. Returns other errors unchanged. */
export function withoutTransaction(error: Error): Error {
  const message = `${error.message} No payment was made.`;
  if (error instanceof TargetTimeoutError) return new TargetTimeoutError(message, { cause: error });
  if (error instanceof TargetUnreachableError) return new TargetUnreachableError(message, { cause: error });
  if (error instanceof TargetResponseInvalidError) return new TargetResponseInvalidError(message, { cause: error });
  return error;
}
