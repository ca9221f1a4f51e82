import { ServiceError } from "../errors.ts";

/** The address may not be called: its scheme, its credentials, or where it leads. */
export class UrlNotAllowedError extends ServiceError {
  readonly code = "url_not_allowed";
  readonly field = "url";
}

/** No connection could be made, or it broke before the answer was complete. */
export class TargetUnreachableError extends ServiceError {
  readonly code = "target_unreachable";
}

/** The target did not connect, answer or go on sending in time. */
export class TargetTimeoutError extends ServiceError {
  readonly code = "target_timeout";
}

/** The target answered with something that is not usable HTTP, or is larger than allowed. */
export class TargetResponseInvalidError extends ServiceError {
  readonly code = "target_response_invalid";
}
