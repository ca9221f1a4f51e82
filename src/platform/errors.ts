import type { ErrorCode } from "./error-codes.ts";

/** An error that is reported to the caller. Any other error becomes `internal_error` without details. */
export abstract class ServiceError extends Error {
  abstract readonly code: ErrorCode;
  override get name(): string {
    return this.constructor.name;
  }
}

/** Bounds the response to a long list of invalid values. */
export const MAX_PROBLEMS = 100;

/** A problem of one value of the input. */
export interface InputProblem {
  /** Names and list indexes, from the argument to the value. */
  readonly path: readonly string[];
  readonly message: string;
}

/** The input is malformed. `field` is the path of the parameter, such as `paymentRequirements.accepts[0].payTo`. */
export class InvalidRequestError extends ServiceError {
  readonly code = "invalid_request";
  readonly field: string | null;
  /** All problems up to `MAX_PROBLEMS`, the first of which is that of `message` and `field`. GraphQL adds it if the thrower set none. */
  problems: readonly InputProblem[];
  constructor(message: string, field: string | null = null, problems: readonly InputProblem[] = []) {
    super(message);
    this.field = field;
    this.problems = problems.slice(0, MAX_PROBLEMS);
  }
}

/** Returns the problems of an error; the error's own, if the thrower set none. */
export function problemsOf({ problems, field, message }: InvalidRequestError): readonly InputProblem[] {
  return problems.length > 0 ? problems : [{ path: parsePath(field ?? ""), message }];
}

/** Formats a path: `["accepts", "0", "payTo"]` is `accepts[0].payTo`. */
export function formatPath(path: readonly string[]): string {
  return path.map((part, i) => (/^\d+$/.test(part) ? `[${part}]` : `${i === 0 ? "" : "."}${part}`)).join("");
}

/** Parses a path: `accepts[0].payTo` is `["accepts", "0", "payTo"]`. */
function parsePath(path: string): string[] {
  return path.split(/[.[\]]+/).filter((part) => part !== "");
}

/** A part that every such request needs is unreachable, or the service is frozen. The caller may retry after `retryAfterMs`. */
export abstract class ServiceUnavailableError extends ServiceError {
  readonly code: ErrorCode = "service_unavailable";
  abstract readonly retryAfterMs: number;
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

/** The account is frozen: by its owner, or by an administrator of the service. */
export class AccountFrozenError extends ServiceError {
  readonly code = "account_frozen";
  constructor(frozenBy: "owner" | "administrator") {
    const next =
      frozenBy === "owner"
        ? "The account owner resumes it with a passkey in the dashboard."
        : "Only an administrator of the service can end the freeze. Contact the operator.";
    super(`The account is frozen. Nothing was done. ${next}`);
  }
}

const RETRY_FROZEN_SERVICE_MS = 60_000;

/** The operator has frozen the service. */
export class ServiceFrozenError extends ServiceUnavailableError {
  override readonly code = "service_frozen";
  readonly retryAfterMs = RETRY_FROZEN_SERVICE_MS;
  constructor() {
    super("The service is frozen by its operator. Nothing was done. Data can be read; retry the operation later.");
  }
}
