/**
 * Every code a client may meet. A code is stable for ever: REST sends it as `error`, GraphQL as `code`.
 * The classes that carry them stand beside the code that throws them.
 */
export const ERROR_CODES = [
  "invalid_request",
  "unauthorized",
  "forbidden",
  "not_found",
  "payload_too_large",
  "rate_limited",
  "internal_error",
  "idempotency_key_reused",
  "idempotency_in_flight",
  "limit_exceeds_own",
  "oauth_error",
  "x402_not_enabled",
  "url_not_allowed",
  "target_unreachable",
  "target_timeout",
  "target_response_invalid",
  "max_value_exceeded",
  "spending_limit_exceeded",
  "insufficient_balance",
  "no_acceptable_requirement",
  "permit_outstanding",
  "purchase_token_used",
  "unsupported_network",
  "chain_unavailable",
  "transfer_failed",
  "unsupported_token",
  "trade_failed",
  "trading_not_configured",
  "dex_unavailable",
  "model_not_found",
  "provider_failed",
  "provider_refused",
  "reauthentication_required",
  "invalid_code",
  "passkey_refused",
  "last_sign_in_method",
  "mail_not_configured",
  "mail_failed",
  "no_active_agent",
  "automated_mail",
  "locked_field",
  "invalid_transition",
  "client_changed",
  "ship_to_invalid",
  "ship_to_unsupported",
  "ship_to_with_pickup",
  "constraints_invalid",
  "constraint_total_exceeded",
  "constraint_shipping_exceeded",
  "constraint_subtotal_exceeded",
  "constraint_item_exceeded",
  "constraint_unverifiable",
  "sku_not_found",
  "missing_query",
  "unsupported_country",
  "catalog_unavailable",
  "missing_url",
  "not_a_product_url",
  "variant_not_found",
  "not_shopify",
  "ship_to_mismatch",
  "constraint_violated",
  "shopify_amount_changed",
  "pickup_location_unresolved",
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

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
