import type { ErrorCode } from "./generated/graphql.ts";

/** The HTTP status of each error code (spec section 7). Failures of external systems without a contractual status use 500. */
export const STATUS = {
  invalid_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  payload_too_large: 413,
  rate_limited: 429,
  internal_error: 500,
  service_unavailable: 503,
  account_frozen: 403,
  service_frozen: 503,
  idempotency_key_reused: 422,
  idempotency_in_flight: 409,
  operation_repeated: 409,
  limit_exceeds_own: 400,
  oauth_error: 400,
  x402_not_enabled: 400,
  url_not_allowed: 400,
  target_unreachable: 500,
  target_timeout: 500,
  target_response_invalid: 500,
  max_value_exceeded: 402,
  spending_limit_exceeded: 402,
  insufficient_balance: 402,
  no_acceptable_requirement: 402,
  permit_outstanding: 409,
  purchase_token_used: 401,
  unsupported_network: 400,
  chain_unavailable: 500,
  network_degraded: 503,
  transfer_failed: 500,
  unsupported_token: 400,
  trade_failed: 500,
  trading_not_configured: 503,
  dex_unavailable: 500,
  model_not_found: 404,
  provider_failed: 502,
  provider_refused: 400,
  reauthentication_required: 403,
  export_limit: 409,
  balances_remain: 409,
  deletion_requested: 409,
  invalid_code: 400,
  passkey_refused: 400,
  last_sign_in_method: 409,
  mail_not_configured: 503,
  mail_failed: 502,
  no_active_agent: 400,
  automated_mail: 400,
  locked_field: 409,
  invalid_transition: 409,
  client_changed: 409,
  second_administrator_required: 409,
  proposal_not_pending: 409,
  recovery_pending: 409,
  recovery_ended: 409,
  merchant_changed: 409,
  ship_to_invalid: 400,
  ship_to_unsupported: 409,
  ship_to_with_pickup: 409,
  constraints_invalid: 400,
  constraint_total_exceeded: 409,
  constraint_shipping_exceeded: 409,
  constraint_subtotal_exceeded: 409,
  constraint_item_exceeded: 409,
  constraint_unverifiable: 409,
  sku_not_found: 422,
  missing_query: 400,
  unsupported_country: 400,
  catalog_unavailable: 502,
  missing_url: 400,
  not_a_product_url: 400,
  variant_not_found: 404,
  not_shopify: 409,
  ship_to_mismatch: 409,
  constraint_violated: 409,
  shopify_amount_changed: 409,
  pickup_location_unresolved: 409,
} as const satisfies Record<ErrorCode, number>;

/** Groups codes by status, in ascending order. */
export function groupByStatus(codes: readonly ErrorCode[]): Map<number, ErrorCode[]> {
  const grouped = new Map<number, ErrorCode[]>();
  for (const code of codes) grouped.set(STATUS[code], [...(grouped.get(STATUS[code]) ?? []), code]);
  return new Map([...grouped].toSorted(([a], [b]) => a - b));
}

/** Error codes of every route. */
export const COMMON_ERRORS = [
  "invalid_request",
  "unauthorized",
  "payload_too_large",
  "internal_error",
  "service_unavailable",
  "account_frozen",
  "service_frozen",
] as const;

export function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === "string" && Object.hasOwn(STATUS, code);
}
