/** The next step after a failure, where that of the REST API (`src/platform/error-codes.ts`) does not fit a tool. */
import { describeError, type ErrorCode } from "../src/platform/error-codes.ts";

const QUOTE_AGAIN = "Call quote_cart again.";
const SAME_KEY = "the same payment_id, quote_id or idempotency_key";

const NEXT_STEPS: Partial<Record<ErrorCode, string>> = {
  invalid_request: "Correct the argument.",
  unauthorized: "The owner signs in again, or creates another token.",
  forbidden: "The message states what is missing. Only the owner can permit it.",
  payload_too_large: "Send less.",
  rate_limited: "Wait for retry_after_seconds.",
  internal_error: `Report the request_id. Repeat a purchase only with ${SAME_KEY}.`,
  service_unavailable: `Retry after retry_after_seconds. Repeat a purchase only with ${SAME_KEY}.`,
  account_frozen: "The owner resumes the account with a passkey, or contacts the operator.",
  service_frozen: "Retry after retry_after_seconds.",
  idempotency_key_reused: "Repeat the first call with its arguments, or start another purchase with a new key.",
  idempotency_in_flight: "Repeat this call in a few seconds; it returns the first result.",
  operation_repeated: "Check the outcome of the first call. Use a new key to repeat it.",
  target_unreachable: "Repeat this call with the same arguments.",
  target_timeout: "Repeat this call with the same arguments.",
  target_response_invalid: "Check the URL.",
  tool_call_failed:
    "Check the tool and its arguments with list_paid_tools. Then repeat this call with the same arguments.",
  max_value_exceeded: "Raise max_usd to `required`, or do not buy.",
  spending_limit_exceeded: "The owner raises the limit, or wait for the next UTC day or month.",
  purchase_token_used: "The owner creates another token.",
  chain_unavailable: `Retry later with ${SAME_KEY}.`,
  unsupported_token: "Choose a token of list_trade_tokens.",
  trade_failed: "Call quote_trade for a new quote.",
  trading_not_configured: "Only the operator can enable trading.",
  model_not_found: "Choose a model of list_models.",
  provider_failed: "Retry later with the same idempotency_key.",
  mail_not_configured: "Only the operator can enable email.",
  mail_failed: "If the email is queued, do nothing: delivery is retried. Otherwise correct the message.",
  automated_mail: "Do not reply: the message was sent automatically.",
  merchant_changed: "Read it again.",
  client_changed: "Read it again.",
  missing_query: "Pass query.",
  unsupported_country: "Choose US, GB, CA or AU.",
  missing_url: "Pass url.",
  not_a_product_url: "Pass the URL of a product page exactly as copied.",
  variant_not_found: "Pass the URL of a product page with its variant.",
  not_shopify: "Call explore_shop with the merchant's URL first.",
  ship_to_with_pickup: "Omit ship_to, or choose an option_id with delivery.",
  ship_to_mismatch: QUOTE_AGAIN,
  constraint_violated: QUOTE_AGAIN,
  shopify_amount_changed: QUOTE_AGAIN,
  pickup_location_unresolved: "Choose another option_id of quote_cart.",
};

/** Sentences that state an outcome. The failure states it from the records. */
const STATEMENTS = / ?(?:No payment was made|Nothing was (?:done|ordered))\./g;
const ANY_STATEMENT = / ?(?:No payment was made|Nothing was [^.]+)\./g;

/** Returns a message without the outcome of its own request: an earlier one with the same key may have paid. */
export const withoutStatement = (text: string) => text.replace(STATEMENTS, "").trim();

export const nextStepOf = (code: ErrorCode) =>
  NEXT_STEPS[code] ?? describeError(code).nextStep.replace(ANY_STATEMENT, "").trim();
