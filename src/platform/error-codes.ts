/**
 * Every error code that a client may receive, by area. `npm run codegen` generates `docs/errors.md` and the GraphQL enum
 * from it.
 */

export interface ErrorDescription {
  /** One sentence: the failure. */
  readonly meaning: string;
  /** The caller's next step, and any action that certainly did not happen. */
  readonly nextStep: string;
}

/** A code is stable: it is never removed and never changes its meaning. */
export const ERROR_AREAS = {
  "Any request": {
    invalid_request: {
      meaning: "The input is malformed; `field` names the parameter.",
      nextStep: "Correct the parameter. Nothing was done.",
    },
    unauthorized: {
      meaning: "The credential is missing, unknown, expired or revoked.",
      nextStep: "Sign in again or create another token.",
    },
    forbidden: {
      meaning: "The credential is valid but does not permit this operation.",
      nextStep: "Use a credential that permits it; `message` says what is missing.",
    },
    not_found: {
      meaning: "The object does not exist, or belongs to another account.",
      nextStep: "Check the identifier and which account the credential belongs to.",
    },
    payload_too_large: {
      meaning: "The body or file exceeds the size limit.",
      nextStep: "Send less; the guide `docs/calling.md` lists the limits.",
    },
    rate_limited: {
      meaning: "Too many requests.",
      nextStep: "Wait for `Retry-After` seconds (`retryAfterMs` milliseconds in GraphQL).",
    },
    internal_error: {
      meaning: "The service failed unexpectedly.",
      nextStep: "Report the request id. Repeat a payment only with the same `Idempotency-Key`.",
    },
    service_unavailable: {
      meaning: "The service's database or key store is unreachable or overloaded.",
      nextStep:
        "Retry after `Retry-After` seconds (`retryAfterMs` in GraphQL). Repeat a payment only with the same `Idempotency-Key`.",
    },
    account_frozen: {
      meaning: "The account is frozen: it can be read, but nothing is paid, signed, ordered or sent for it.",
      nextStep: "Nothing was done. The account owner resumes it with a passkey, or contacts the operator.",
    },
    service_frozen: {
      meaning: "The operator has frozen the service: data can be read, but nothing is paid, signed, ordered or sent.",
      nextStep: "Nothing was done. Retry after `Retry-After` seconds (`retryAfterMs` in GraphQL).",
    },
    idempotency_key_reused: {
      meaning: "The idempotency key was used for another request.",
      nextStep: "Nothing was done. Use a new key for a new request.",
    },
    idempotency_in_flight: {
      meaning: "The first request with this idempotency key, or an equal call of a tool, is still in flight.",
      nextStep:
        "Send the same request again after a short wait. With an idempotency key it returns the first response.",
    },
    operation_repeated: {
      meaning: "A reconnected client sent an operation that moves money again, without an idempotency key.",
      nextStep:
        "Nothing was done again. Check the outcome of the first execution. Use a new `idempotencyKey` to repeat it.",
    },
  },
  "Sign-in and API tokens": {
    limit_exceeds_own: {
      meaning: "A requested limit exceeds the caller's own.",
      nextStep: "Request a lower limit. `field` names it.",
    },
    reauthentication_required: {
      meaning: "The operation requires a sign-in within the last 10 minutes.",
      nextStep: "The account owner signs in again, then repeats the request.",
    },
    invalid_code: {
      meaning: "The one-time code is wrong or has expired.",
      nextStep: "Enter the latest code, or request a new one.",
    },
    passkey_refused: {
      meaning: "The passkey response was not accepted.",
      nextStep: "Start the passkey ceremony again.",
    },
    last_sign_in_method: {
      meaning: "The sign-in method cannot be removed: it is the account's only one.",
      nextStep: "Add a passkey or an email address first.",
    },
  },
  "Export and deletion of an account": {
    export_limit: {
      meaning: "An export of the account is in progress, or the account has the maximum number of exports.",
      nextStep: "Wait until the export completes, or until an older one expires. No export was started.",
    },
    balances_remain: {
      meaning: "The wallet has balances that the request for deletion does not give up.",
      nextStep: "Send them to another wallet, or pass their current amounts. `balances` lists them.",
    },
    deletion_requested: {
      meaning: "The deletion of the account was requested before.",
      nextStep: "Cancel it first to change it. Nothing was changed.",
    },
  },
  "OAuth clients": {
    oauth_error: {
      meaning: "The OAuth request was refused; `error` is the code of the protocol.",
      nextStep: "Act on `error`: see OAuth.",
    },
    locked_field: {
      meaning: "The field cannot be changed after approval.",
      nextStep: "Register another client. Nothing was changed.",
    },
    invalid_transition: {
      meaning: "The current status does not permit the requested change.",
      nextStep: "Read the current status. Nothing was changed.",
    },
    merchant_changed: {
      meaning: "The merchant was explored again after the reviewer read it.",
      nextStep: "Read it again and pass its current `readAt`. Nothing was changed.",
    },
    client_changed: {
      meaning: "The OAuth client was edited after the reviewer read it.",
      nextStep: "Read it again and pass its current `updatedAt`. Nothing was decided.",
    },
  },
  Administration: {
    second_administrator_required: {
      meaning: "The act requires two administrators. It was proposed, and nothing else was changed.",
      nextStep: "Another administrator confirms the proposal within 24 hours.",
    },
    recovery_pending: {
      meaning: "The account already has a pending recovery.",
      nextStep: "Nothing was changed. Cancel that recovery first.",
    },
    recovery_ended: {
      meaning: "The recovery was completed, cancelled or has expired.",
      nextStep: "Nothing was changed. Start another recovery if it is needed.",
    },
    proposal_not_pending: {
      meaning: "The proposal of an administrator was decided before or has expired.",
      nextStep: "Nothing was changed. Propose the act again if it is needed.",
    },
  },
  "X402 payments": {
    x402_not_enabled: {
      meaning: "X402 payments are disabled for the account.",
      nextStep: "The account owner enables them in the dashboard. No payment was made.",
    },
    url_not_allowed: {
      meaning: "The URL may not be called: its scheme, embedded credentials or a private address.",
      nextStep: "Use a public `http` or `https` URL without credentials.",
    },
    target_unreachable: {
      meaning: "The target could not be reached, or the connection broke.",
      nextStep:
        "Retry with the same `Idempotency-Key`, or the same request without one. `paymentId` is present if a payment was sent.",
    },
    target_timeout: {
      meaning: "The target did not respond in time.",
      nextStep:
        "Retry with the same `Idempotency-Key`, or the same request without one. `paymentId` is present if a payment was sent.",
    },
    target_response_invalid: {
      meaning: "The target's response is malformed or too large, or it is a 402 response without readable X402 offers.",
      nextStep: "Check the URL. `paymentId` is present if a payment was sent.",
    },
    tool_call_failed: {
      meaning: "The MCP server refused the call or its payment, and returned no result.",
      nextStep:
        "Check the tool and its arguments. Retry with the same `Idempotency-Key`, or the same call without one. `paymentId` is present if a payment was sent.",
    },
    max_value_exceeded: {
      meaning: "Every usable offer costs more than `maxValue`.",
      nextStep: "Raise `maxValue` to `required`, or do not buy. No payment was made.",
    },
    spending_limit_exceeded: {
      meaning: "A spending limit of the token or the account is exceeded.",
      nextStep: "Raise the limit, or wait for the next UTC day or month. No payment was made.",
    },
    insufficient_balance: {
      meaning: "Neither free credit nor the wallet covers the amount.",
      nextStep: "Fund the wallet on `network`. No payment was made.",
    },
    no_acceptable_requirement: {
      meaning: "No offer of the target can be used.",
      nextStep: "Read in `considered` why each was rejected. No payment was made.",
    },
    permit_outstanding: {
      meaning: "An earlier `upto` permit of this wallet is outstanding on the network, or is being revoked.",
      nextStep: "Retry after it settles or expires. No payment was made.",
    },
    purchase_token_used: {
      meaning: "The one-time purchase token already has its payment.",
      nextStep:
        "Repeat that payment's `Idempotency-Key`. Without a key, repeat the same request if no response came. Otherwise create another token.",
    },
    unsupported_network: {
      meaning: "The network is unknown or not configured.",
      nextStep: "Choose one of the networks that `message` lists.",
    },
    chain_unavailable: {
      meaning: "The network's RPC nodes do not respond.",
      nextStep: "Retry later with the same `Idempotency-Key`.",
    },
    network_degraded: {
      meaning: "A check of this service found that the network's RPC serves another network or token.",
      nextStep: "Use another network, or retry after the operator has corrected the setting. Nothing was signed.",
    },
    transfer_failed: {
      meaning: "The network rejected the transfer.",
      nextStep: "Read `message`, then retry. Nothing was transferred.",
    },
  },
  Trading: {
    unsupported_token: {
      meaning: "The token is unknown, is not an ERC-20 token, or has no liquidity.",
      nextStep: "Choose a token that `GET /api/trade/tokens` lists.",
    },
    trade_failed: {
      meaning: "The swap was refused before signing, or failed on chain.",
      nextStep: "Request a new quote. `id` and `txHash` name the trade if one was sent.",
    },
    trading_not_configured: {
      meaning: "The service has no exchange configured.",
      nextStep: "The operator sets `DEX_URL` and `DEX_API_KEY`.",
    },
    dex_unavailable: {
      meaning: "The exchange does not respond.",
      nextStep: "Retry later. No payment was made.",
    },
  },
  "Language models": {
    model_not_found: {
      meaning: "No provider offers the model.",
      nextStep: "Choose a model that `GET /v1/models` lists. No payment was made.",
    },
    provider_failed: {
      meaning: "Every provider of the model failed.",
      nextStep: "Retry later. `x-satchel-payment-id` is present if a provider was paid.",
    },
    provider_refused: {
      meaning: "The provider rejected the request.",
      nextStep: "Correct the request as `message` says.",
    },
  },
  "Agent and mail": {
    mail_not_configured: {
      meaning: "The service has no mail server, so no message was sent.",
      nextStep: "The operator sets `SMTP_URL`.",
    },
    mail_failed: {
      meaning: "The mail server rejected the message or did not respond.",
      nextStep: "If `queued` is true, do nothing: delivery is retried. Otherwise correct the message.",
    },
    no_active_agent: {
      meaning: "The account has no active agent.",
      nextStep: "Wait until the agent is registered; registration starts with the first API token.",
    },
    automated_mail: {
      meaning: "The message to reply to was sent automatically, so no reply was sent.",
      nextStep: "Set `force` to reply anyway.",
    },
  },
  "Checkout: search": {
    missing_query: { meaning: "The search query `q` is missing.", nextStep: "Send `q`." },
    unsupported_country: {
      meaning: "Product search does not cover the country.",
      nextStep: "Choose one of `supported_countries`. A retry gives the same error.",
    },
    catalog_unavailable: {
      meaning: "The catalogue or the merchant did not respond. The product may still be on sale.",
      nextStep: "Retry later. Do not report the product as unavailable.",
    },
    missing_url: { meaning: "The product page's `url` is missing.", nextStep: "Send `url`." },
    not_a_product_url: {
      meaning: "The URL belongs to a store or a collection, not to a product.",
      nextStep: "Send a product page's URL exactly as copied.",
    },
    variant_not_found: {
      meaning: "The merchant has no such product or variant.",
      nextStep: "Send a URL with `?variant=`.",
    },
    not_shopify: {
      meaning: "The page does not belong to a Shopify store.",
      nextStep: "Call `POST /api/autofill/explore` with the merchant's URL first.",
    },
  },
  "Checkout: quote": {
    sku_not_found: {
      meaning: "The merchant has no product with that SKU.",
      nextStep: "Choose one of `nearest`.",
    },
    ship_to_invalid: {
      meaning: "A field of the delivery address is missing or malformed; `detail` names it.",
      nextStep: "Correct that field.",
    },
    ship_to_unsupported: {
      meaning: "The merchant delivers to the cardholder's address only.",
      nextStep: "Omit `ship_to`, or use another merchant.",
    },
    ship_to_with_pickup: {
      meaning: "The request has both a delivery address and a pickup location.",
      nextStep: "Send one of them.",
    },
    constraints_invalid: {
      meaning: "A cap is unknown, or is not an integer of at least 0.",
      nextStep: "Send caps in minor units of the order's currency.",
    },
    constraint_total_exceeded: {
      meaning: "The total exceeds its cap.",
      nextStep: "Request a higher cap from the cardholder. Nothing was ordered.",
    },
    constraint_shipping_exceeded: {
      meaning: "Delivery exceeds its cap.",
      nextStep: "Choose another delivery option, or request a higher cap from the cardholder. Nothing was ordered.",
    },
    constraint_subtotal_exceeded: {
      meaning: "The subtotal exceeds its cap.",
      nextStep: "Remove items, or request a higher cap from the cardholder. Nothing was ordered.",
    },
    constraint_item_exceeded: {
      meaning: "An item's unit price exceeds its cap.",
      nextStep: "Choose another item, or request a higher cap from the cardholder. Nothing was ordered.",
    },
    constraint_unverifiable: {
      meaning: "The merchant prices delivery at checkout only, so the cap cannot be verified before.",
      nextStep: "Omit the caps on total and delivery. Nothing was ordered.",
    },
  },
  "Checkout: order": {
    ship_to_mismatch: {
      meaning: "The destination differs from the one quoted or approved.",
      nextStep: "Request a new quote. Nothing was ordered and no card was used.",
    },
    constraint_violated: {
      meaning: "A cap is exceeded by the current cart, or differs from the one quoted or approved.",
      nextStep: "Request a new quote. Nothing was ordered and no card was used.",
    },
    shopify_amount_changed: {
      meaning: "The current cart differs from the one quoted or approved.",
      nextStep: "Request a new quote. Nothing was ordered and no card was used.",
    },
    pickup_location_unresolved: {
      meaning: "The pickup location matches no store, or several.",
      nextStep: "Send a `pickup_location_id` that `pickup_resolution` lists. Nothing was ordered and no card was used.",
    },
  },
} as const satisfies Record<string, Record<string, ErrorDescription>>;

type Areas = typeof ERROR_AREAS;
export type ErrorCode = { [Area in keyof Areas]: keyof Areas[Area] }[keyof Areas];

const BY_CODE = Object.assign({}, ...Object.values(ERROR_AREAS)) as Record<ErrorCode, ErrorDescription>;

export const ERROR_CODES = Object.keys(BY_CODE) as ErrorCode[];

export const describeError = (code: ErrorCode): ErrorDescription => BY_CODE[code];
