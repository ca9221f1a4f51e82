import { ServiceError } from "../platform/errors.ts";

/**
 * Error codes of the protocol (RFC 6749 sections 4.1.2.1 and 5.2, OpenID Connect Core section 3.1.2.6, RFC 7591 section
 * 3.2.2, RFC 8628 section 3.5).
 */
export const OAUTH_ERROR_NAMES = [
  "invalid_request",
  "invalid_client",
  "invalid_grant",
  "unauthorized_client",
  "unsupported_grant_type",
  "unsupported_response_type",
  "invalid_scope",
  "invalid_redirect_uri",
  "invalid_client_metadata",
  "access_denied",
  "authorization_pending",
  "slow_down",
  "expired_token",
  "login_required",
  "consent_required",
  "request_not_supported",
  "request_uri_not_supported",
  "unsupported_token_type",
  "temporarily_unavailable",
  // RFC 8707 section 2, RFC 9101 section 7, RFC 9449 section 5.
  "invalid_target",
  "invalid_request_uri",
  "invalid_dpop_proof",
] as const;

export type OAuthErrorName = (typeof OAUTH_ERROR_NAMES)[number];

/**
 * An OAuth request failed. The description is sent as `error_description`: constant ASCII text without quotes and
 * backslashes (RFC 6749 section 5.2). It never echoes input.
 */
export class OAuthProtocolError extends ServiceError {
  readonly code = "oauth_error";
  readonly error: OAuthErrorName;
  constructor(error: OAuthErrorName, description: string) {
    super(description);
    this.error = error;
  }
}
