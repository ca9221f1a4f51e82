/**
 * Failures as data: members of an operation's result union, all with the interface `Error`. Only the service's own
 * errors are ever registered here. A missing or invalid credential is no member: it is about the request, not the
 * operation, and comes as a GraphQL error with `extensions.code` "unauthorized", as clients' auth links expect.
 */

import {
  TargetResponseInvalidError,
  TargetTimeoutError,
  TargetUnreachableError,
  UrlNotAllowedError,
} from "../src/platform/egress/errors.ts";
import {
  ERROR_CODES,
  type ErrorCode,
  ForbiddenError,
  InvalidRequestError,
  NotFoundError,
  RateLimitedError,
} from "../src/platform/errors.ts";
import { IdempotencyInFlightError, IdempotencyKeyReusedError } from "../src/platform/idempotency/claim.ts";
import { builder } from "./builder.ts";

const MEANINGS: Readonly<Record<ErrorCode, string>> = {
  invalid_request: "The input is malformed; `field` says where.",
  unauthorized: "The credential is missing, unknown, expired or revoked.",
  forbidden: "The credential is valid but may not do this.",
  not_found: "There is no such object for this caller.",
  payload_too_large: "The body is larger than allowed.",
  rate_limited: "Too many requests.",
  internal_error: "Something failed here. The request id finds it in the service's logs.",
  idempotency_key_reused: "The Idempotency-Key came before with another request.",
  idempotency_in_flight: "The first request with this Idempotency-Key is still under way.",
  limit_exceeds_own: "A limit asked for is wider than the caller's own.",
  oauth_error: "The OAuth request was refused; `error` is the protocol's own code.",
  x402_not_enabled: "The account has not turned X402 payments on.",
  url_not_allowed: "The address may not be called.",
  target_unreachable: "The target could not be reached, or the connection broke.",
  target_timeout: "The target did not answer in time.",
  target_response_invalid: "The target's answer cannot be used.",
  max_value_exceeded: "Every usable offer costs more than `maxValue`.",
  spending_limit_exceeded: "A spending limit of the token or the account stands in the way.",
  insufficient_balance: "Neither credit nor the wallet covers the amount.",
  no_acceptable_requirement: "None of the target's offers can be used.",
  permit_outstanding: "An earlier upto payment of this wallet has not settled yet.",
  purchase_token_used: "The one-time purchase token has made its one payment.",
  unsupported_network: "The network is unknown or not configured here.",
  chain_unavailable: "The network's nodes do not answer right now.",
  transfer_failed: "The network refused the transfer.",
  unsupported_token: "The token is not known, is none, or nobody exchanges it.",
  trade_failed: "The swap was refused before it was signed, or failed on chain.",
  trading_not_configured: "This installation has no exchange to trade with.",
  dex_unavailable: "The exchange does not answer right now.",
  model_not_found: "No provider offers that language model.",
  provider_failed: "Every provider of the language model failed.",
  provider_refused: "The language model's provider found fault with the request.",
  reauthentication_required: "The person must prove once more who they are.",
  invalid_code: "The one-time code is wrong or no longer good.",
  passkey_refused: "The passkey was not accepted.",
  last_sign_in_method: "What was to be removed is the only way into the account.",
  mail_not_configured: "This service has no mail server, so no letter was sent.",
  mail_failed: "The mail server refused the letter or did not answer.",
  no_active_agent: "The account has no active agent.",
  automated_mail: "A machine wrote the message that was to be answered.",
  locked_field: "The field can no longer be changed.",
  invalid_transition: "What the object is now does not lead to what was asked.",
  client_changed: "The application is not what the reviewer saw any more.",
  ship_to_invalid: "A field of the delivery address is missing or malformed; `detail` names it.",
  ship_to_unsupported: "The shop cannot be told another delivery address.",
  ship_to_with_pickup: "An order is either collected or delivered.",
  constraints_invalid: "A cap is not an integer of at least 0, or not known.",
  constraint_total_exceeded: "The total is above its cap.",
  constraint_shipping_exceeded: "Delivery costs more than its cap.",
  constraint_subtotal_exceeded: "The goods cost more than their cap.",
  constraint_item_exceeded: "One item costs more than its cap.",
  constraint_unverifiable: "The shop prices delivery at checkout only, so the cap cannot be checked before.",
  sku_not_found: "The shop sells nothing under that number; `nearest` names what comes close.",
  missing_query: "The words to search for are missing.",
  unsupported_country: "Products cannot be searched in that market. Final, not transient.",
  catalog_unavailable: "The catalogue or the shop did not answer; that says nothing about what is on sale.",
  missing_url: "The product page's address is missing.",
  not_a_product_url: "The link leads to a shop or a collection.",
  variant_not_found: "The shop has no such product or variant.",
  not_shopify: "The page is not of a Shopify shop: explore it first.",
  ship_to_mismatch: "The order would go elsewhere than what was quoted or approved.",
  constraint_violated: "A cap does not hold on the fresh cart, or is another than was quoted or approved.",
  shopify_amount_changed: "The fresh cart is not what was quoted or approved any more.",
  pickup_location_unresolved: "It is not clear which store the order is to be collected from.",
};

const ErrorCodeEnum = builder.enumType("ErrorCode", {
  description: "What went wrong, for programs. The same codes as `error` over REST; a code never changes its meaning.",
  values: Object.fromEntries(ERROR_CODES.map((code) => [code, { description: MEANINGS[code] }])) as Record<
    ErrorCode,
    { description: string }
  >,
});

const ErrorInterface = builder.interfaceRef<{ message: string; code: ErrorCode }>("Error").implement({
  description: "Why an operation was refused or failed.",
  fields: (t) => ({
    message: t.exposeString("message", {
      description: "What happened, what did not, and what to do, in plain words for a person.",
    }),
    code: t.expose("code", { type: ErrorCodeEnum, description: "The stable code of the failure." }),
  }),
});

/** What every error type is made from. */
export const errorOf = (description: string) => ({ description, interfaces: [ErrorInterface] });

builder.objectType(InvalidRequestError, {
  name: "InvalidRequestError",
  ...errorOf("The input is malformed."),
  fields: (t) => ({
    field: t.exposeString("field", {
      nullable: true,
      description: "The place in the input, such as `paymentRequirements.accepts[0].payTo`.",
    }),
  }),
});

builder.objectType(ForbiddenError, {
  name: "ForbiddenError",
  ...errorOf("The credential is valid but may not do this."),
});

builder.objectType(NotFoundError, { name: "NotFoundError", ...errorOf("There is no such object for this caller.") });

builder.objectType(RateLimitedError, {
  name: "RateLimitedError",
  ...errorOf("Too many requests."),
  fields: (t) => ({ retryAfterMs: t.exposeInt("retryAfterMs", { description: "How long to wait, in milliseconds." }) }),
});

builder.objectType(UrlNotAllowedError, {
  name: "UrlNotAllowedError",
  ...errorOf("The address may not be called: its scheme, credentials in it, or a private address behind it."),
  fields: (t) => ({ field: t.exposeString("field", { nullable: true, description: "The place in the input." }) }),
});

/** Set on errors of a target that was paid before it failed. */
const transactionIdOf = (error: object): string | null =>
  "transactionId" in error && typeof error.transactionId === "string" ? error.transactionId : null;
const PAID = "The ledger's id of the payment that was sent before the failure; null when nothing was paid.";

builder.objectType(TargetUnreachableError, {
  name: "TargetUnreachableError",
  ...errorOf("The target could not be reached, or the connection broke."),
  fields: (t) => ({ paidTransactionId: t.string({ nullable: true, description: PAID, resolve: transactionIdOf }) }),
});

builder.objectType(TargetTimeoutError, {
  name: "TargetTimeoutError",
  ...errorOf("The target did not answer in time."),
  fields: (t) => ({ paidTransactionId: t.string({ nullable: true, description: PAID, resolve: transactionIdOf }) }),
});

builder.objectType(TargetResponseInvalidError, {
  name: "TargetResponseInvalidError",
  ...errorOf("The target's answer is not usable HTTP, or larger than allowed."),
  fields: (t) => ({ paidTransactionId: t.string({ nullable: true, description: PAID, resolve: transactionIdOf }) }),
});

builder.objectType(IdempotencyKeyReusedError, {
  name: "IdempotencyKeyReusedError",
  ...errorOf("The Idempotency-Key came before with another request. Nothing was done."),
  fields: (t) => ({ field: t.exposeString("field", { nullable: true, description: "The place in the input." }) }),
});

builder.objectType(IdempotencyInFlightError, {
  name: "IdempotencyInFlightError",
  ...errorOf("The first request with this Idempotency-Key is still under way."),
});

/** What any operation with an input may be refused with. */
export const INPUT_ERRORS = [InvalidRequestError, ForbiddenError, NotFoundError];

/** The same where there is an end to how often it may be asked, or to how much of it may wait for one account. */
export const BOUNDED_ERRORS = [...INPUT_ERRORS, RateLimitedError];
/** What an operation with an Idempotency-Key may be refused with besides. */
export const IDEMPOTENCY_ERRORS = [IdempotencyKeyReusedError, IdempotencyInFlightError];
/** What calling a target may fail with. */
export const TARGET_ERRORS = [
  UrlNotAllowedError,
  TargetUnreachableError,
  TargetTimeoutError,
  TargetResponseInvalidError,
];
