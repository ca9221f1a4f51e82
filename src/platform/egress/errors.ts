import { ServiceError } from "../errors.ts";

/** The URL is not allowed because of its scheme, its credentials or the addresses of its host. */
export class UrlNotAllowedError extends ServiceError {
  readonly code = "url_not_allowed";
  readonly field = "url";
}

/** The connection failed, or broke before the response was complete. */
export class TargetUnreachableError extends ServiceError {
  readonly code = "target_unreachable";
}

/** A timeout while connecting, waiting for the response or reading its body. */
export class TargetTimeoutError extends ServiceError {
  readonly code = "target_timeout";
}

/** The response is not valid HTTP, or exceeds the size limit. */
export class TargetResponseInvalidError extends ServiceError {
  readonly code = "target_response_invalid";
}
