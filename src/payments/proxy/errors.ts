import {
  TargetResponseInvalidError,
  TargetTimeoutError,
  TargetUnreachableError,
  UrlNotAllowedError,
} from "../../platform/egress/errors.ts";

const KEPT =
  "The payment is kept under watch: it settles if the target takes it, or is released once it no longer can.";

/** The target was paid and did not answer in time; whether it took the payment is not known yet. */
export class PaidTargetTimeoutError extends TargetTimeoutError {
  readonly transactionId: string;
  constructor(transactionId: string, cause: Error) {
    super(`${cause.message} ${KEPT}`, { cause });
    this.transactionId = transactionId;
  }
}

/** The target was paid and the connection failed; whether it took the payment is not known yet. */
export class PaidTargetUnreachableError extends TargetUnreachableError {
  readonly transactionId: string;
  constructor(transactionId: string, cause: Error) {
    super(`${cause.message} ${KEPT}`, { cause });
    this.transactionId = transactionId;
  }
}

/** The target was paid and its answer cannot be used; whether it took the payment is not known yet. */
export class PaidTargetResponseInvalidError extends TargetResponseInvalidError {
  readonly transactionId: string;
  constructor(transactionId: string, cause: Error) {
    super(`${cause.message} ${KEPT}`, { cause });
    this.transactionId = transactionId;
  }
}

/** The same failure, with the payment it happened to; other errors as they are. */
export function withTransaction(error: Error, transactionId: string): Error {
  if (error instanceof TargetTimeoutError) return new PaidTargetTimeoutError(transactionId, error);
  if (error instanceof TargetUnreachableError) return new PaidTargetUnreachableError(transactionId, error);
  // Once paid, an address that may not be called was the target's choice, not the caller's.
  if (error instanceof TargetResponseInvalidError || error instanceof UrlNotAllowedError) {
    return new PaidTargetResponseInvalidError(transactionId, error);
  }
  return error;
}

/** The same failure, saying that no payment was under way; other errors as they are. */
export function withoutTransaction(error: Error): Error {
  const message = `${error.message} No money moved.`;
  if (error instanceof TargetTimeoutError) return new TargetTimeoutError(message, { cause: error });
  if (error instanceof TargetUnreachableError) return new TargetUnreachableError(message, { cause: error });
  if (error instanceof TargetResponseInvalidError) return new TargetResponseInvalidError(message, { cause: error });
  return error;
}
