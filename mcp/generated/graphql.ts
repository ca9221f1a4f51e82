/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
/** The kind of an agent credential. */
export type AgentCredentialKind =
  /** The limits and scopes within which an agent acts for an account owner. */
  | 'delegation'
  /** The identity of an agent on chain, and its trust score. */
  | 'trust';

/** The state of the agent's registration. */
export type AgentRegistrationState =
  /** The registration is disabled, and nothing is on chain. */
  | 'disabled'
  /** The agent is being registered. */
  | 'pending'
  /** The agent is registered on chain. */
  | 'registered'
  /** The registration is enabled, and starts with the first API token or authorized application. */
  | 'waiting'
  /** The registration is disabled after it was sent to the chain. It remains there, and the agent's file is empty and inactive. */
  | 'withdrawn';

/** The status of an agent. */
export type AgentStatus =
  /** The agent is registered on chain. */
  | 'active'
  /** The agent is being registered. */
  | 'pending'
  /** The account owner revoked the agent. It remains registered on chain and has no valid credentials. */
  | 'revoked';

/** The status of an approval. */
export type ApprovalStatus =
  /** Approved. The caller that requested it must repeat its request with the approval token. */
  | 'approved'
  /** The approved request was carried out. */
  | 'consumed'
  /** Denied. Nothing happens. */
  | 'denied'
  /** Expired. Nothing happens. */
  | 'expired'
  /** The account owner has not decided. */
  | 'pending';

/** Input of `callPaidTool`. */
export type CallPaidToolInput = {
  /** The arguments of the tool: an object, as the tool's `inputSchema` requires. Default: no arguments. */
  arguments?: unknown;
  /** A key that makes retries safe: the same key with the same input returns the first response. Default: the `Idempotency-Key` header. */
  idempotencyKey?: string | null | undefined;
  /** The maximum price in the asset's smallest unit. By default only the caller's limits apply. */
  maxValue?: string | null | undefined;
  /** The URL of the MCP server. */
  serverUrl: string;
  /** The time limit for the server, at most 120000; default 30000. */
  timeoutMs?: number;
  /** The name of the tool, at most 128 characters. */
  tool: string;
};

/** The status of a payment card. */
export type CardStatus =
  /** The card can be used for payments. */
  | 'active'
  /** The account owner disabled or removed the card. */
  | 'disabled'
  /** The card has expired. */
  | 'expired';

/** Spending caps in minor units of the order's currency. They are checked now, and again before any card is used. */
export type CartConstraintsInput = {
  /** Cap on the unit price of each item. */
  maxItemMinor?: number | null | undefined;
  /** Cap on the delivery price. */
  maxShippingMinor?: number | null | undefined;
  /** Cap on the goods, without delivery. */
  maxSubtotalMinor?: number | null | undefined;
  /** Cap on the total. */
  maxTotalMinor?: number | null | undefined;
};

/** An item to buy. */
export type CartItemInput = {
  /** The quantity, from 1 to 999. Default: 1. */
  quantity?: number | null | undefined;
  /** The sku, as returned by search or look-up. */
  sku: string;
};

/** The cart to price. */
export type CartQuoteInput = {
  /** Spending caps. */
  constraints?: CartConstraintsInput | null | undefined;
  /** The id of the selected fulfilment option of the quote. */
  fulfillmentOptionId?: string | null | undefined;
  /** The items to buy, 1 to 50. */
  items: Array<CartItemInput>;
  /** The id of the merchant. */
  merchantId: string | number;
  /** The store to collect from, in the user's words. */
  pickupLocation?: string | null | undefined;
  /** The id of the store to collect from. Takes precedence over `pickupLocation`. */
  pickupLocationId?: string | null | undefined;
  /** A delivery address other than the cardholder's. */
  shipTo?: ShipToInput | null | undefined;
};

/** An audio recording. */
export type ChatAudioInput = {
  /** The recording in base64. */
  data: string;
  /** The format, such as `wav` or `mp3`. */
  format: string;
};

/** A part of a message's content. */
export type ChatContentPartInput =
  {   /** An audio recording. */
  audio: ChatAudioInput; file?: never; image?: never; text?: never; }
  |  { audio?: never;   /** A file. */
  file: ChatFileInput; image?: never; text?: never; }
  |  { audio?: never; file?: never;   /** An image. */
  image: ChatImageInput; text?: never; }
  |  { audio?: never; file?: never; image?: never;   /** A text. */
  text: string; };

/** A file. */
export type ChatFileInput = {
  /** The content as a `data:` URL. */
  fileData: string;
  /** The name of the file. */
  filename: string;
};

/** The reason why a message ended. */
export type ChatFinishReason =
  /** The provider's filter removed content. */
  | 'content_filter'
  /** The model requests a function call, for older models. */
  | 'function_call'
  /** The maximum number of tokens was reached. */
  | 'length'
  /** Another reason, which only the provider defines. */
  | 'other'
  /** The message is complete, or a stop sequence occurred. */
  | 'stop'
  /** The model requests tool calls. */
  | 'tool_calls';

/** The resolution in which a model reads an image. */
export type ChatImageDetail =
  /** The model decides. */
  | 'AUTO'
  /** A high resolution. */
  | 'HIGH'
  /** A low resolution, which uses fewer tokens. */
  | 'LOW';

/** An image. */
export type ChatImageInput = {
  /** The resolution. Default: the model decides. */
  detail?: ChatImageDetail | null | undefined;
  /** The https URL of the image, or a `data:` URL with its content. */
  url: string;
};

/** A message of a chat. */
export type ChatMessageInput = {
  /** The content, if it is one text. Cannot be combined with `parts`. */
  content?: string | null | undefined;
  /** The name of the author, if several have the same role. */
  name?: string | null | undefined;
  /** The parts of the content: texts, images, files. */
  parts?: Array<ChatContentPartInput> | null | undefined;
  /** The role of the author. */
  role: ChatRole;
  /** The id of the tool call whose result the message is. Only for the role `TOOL`. */
  toolCallId?: string | null | undefined;
  /** The tool calls that the model requested. Only for the role `ASSISTANT`. */
  toolCalls?: Array<ChatToolCallInput> | null | undefined;
};

/** The role of a message's author. */
export type ChatRole =
  /** The language model. */
  | 'assistant'
  /** Instructions of the developer. */
  | 'developer'
  /** The result of a function call, for older models. */
  | 'function'
  /** Instructions of the developer, for older models. */
  | 'system'
  /** The result of a tool call. */
  | 'tool'
  /** The user. */
  | 'user';

/** A tool call that the model requested before, as `ChatToolCall` has it. */
export type ChatToolCallInput = {
  /** The arguments as JSON text. */
  arguments: string;
  /** The name of the function. */
  functionName: string;
  /** The provider's id of the tool call. */
  toolCallId: string;
};

/** The cause of a failed order, or of an overcharge. A declined card is `CARD_DECLINED`. */
export type CheckoutOrderErrorCode =
  /** The account or the service was frozen before the card was used. Nothing was bought. Retry after the freeze ends. */
  | 'account_frozen'
  /** The account owner denied the purchase. Nothing was bought. To buy the product, place a new order. */
  | 'approval_denied'
  /** The approval expired. Nothing was bought. Request a new quote. */
  | 'approval_expired'
  /** The merchant blocks automated checkouts. Nothing was bought. Complete the purchase on the merchant's site. */
  | 'bot_wall'
  /** The merchant requires a captcha. Nothing was bought. Complete the purchase on the merchant's site. */
  | 'captcha'
  /** The card was declined. Nothing was bought. Complete the purchase on the merchant's site, or use another card. */
  | 'card_declined'
  /** The card was removed or disabled before it was used. Nothing was bought. Choose another card. */
  | 'card_unavailable'
  /** The merchant's site could not be read. Nothing was bought. Retry. */
  | 'exploration_failed'
  /** The merchant blocks automated browsers or requires an account. Nothing was bought. Buy on the merchant's site. */
  | 'exploration_walled'
  /** The merchant's checkout rejected the details. Nothing was bought. Complete the purchase on the merchant's site. */
  | 'form_rejected'
  /** The merchant requires an account. Nothing was bought. Complete the purchase on the merchant's site. */
  | 'guest_checkout_unavailable'
  /** The merchant requires a sign-in. Nothing was bought. Complete the purchase on the merchant's site. */
  | 'login_required'
  /** A field of the merchant's checkout was not found. Nothing was bought. Retry. */
  | 'missing_field'
  /** The site uses the name of a merchant in the approved pool. Nothing was bought. Buy from the pooled merchant, or explore another site. */
  | 'name_not_allowed'
  /** No checkout worker was available in time. Nothing was bought. Retry. */
  | 'never_taken'
  /** The page offers no products for sale. Nothing was bought. Retry with the URL of a product page. */
  | 'not_a_shop'
  /** The merchant's response to the payment was lost. The charge is unconfirmed. Contact support and do not order again. */
  | 'outcome_unknown'
  /** The product is out of stock. Nothing was bought. Request a new quote when it is available. */
  | 'out_of_stock'
  /** The purchase succeeded, but the merchant charged more than the approved amount. Contact support. */
  | 'overcharged'
  /** The merchant's page sent no payment. Nothing was bought. Retry. */
  | 'payment_not_sent'
  /** The standing policy ended during the dry run. Nothing was bought. Retry under a new policy. */
  | 'policy_ended'
  /** The merchant's total exceeds the approved amount. Nothing was bought. Request a new quote. */
  | 'price_changed'
  /** The merchant's checkout failed twice in a row. Nothing was bought. Contact support. */
  | 'recipe_broken'
  /** The merchant's site was unavailable. Nothing was bought. Retry. */
  | 'shop_unavailable'
  /** 3-D Secure authentication was not completed. The charge is unconfirmed. Contact support and do not order again. */
  | 'three_d_secure_abandoned'
  /** 3-D Secure authentication failed or was cancelled. Nothing was bought. Complete the purchase on the merchant's site. */
  | 'three_d_secure_failed'
  /** The checkout timed out. Nothing was bought. Retry. */
  | 'time_spent'
  /** The checkout was interrupted before the card was used. Nothing was bought. Retry. */
  | 'worker_crashed';

/** The kind of an order. */
export type CheckoutOrderKind =
  /** The exploration of a merchant; no card is involved. */
  | 'explored'
  /** The purchase of goods. */
  | 'purchase';

/** The status of an order. Ended orders never change. */
export type CheckoutOrderStatus =
  /** Waiting for the account owner's approval by passkey. */
  | 'approval_required'
  /** In progress, or approved and waiting for a worker. */
  | 'dispatched'
  /** The exploration of the merchant succeeded. The merchant accepts orders. */
  | 'explored'
  /** The merchant's site failed or rejected the order. */
  | 'merchant_error'
  /** The merchant was out of stock. Nothing was bought. */
  | 'out_of_stock'
  /** A captcha, a sign-in, 3-D Secure, or a denied approval prevented the purchase. */
  | 'payment_gate_hit'
  /** The card was submitted, but the merchant's response was lost. The charge is unconfirmed. */
  | 'payment_unconfirmed'
  /** Accepted, but not yet leased to a worker. */
  | 'pending'
  /** The merchant's total exceeded the approved amount. Nothing was bought. */
  | 'price_changed'
  /** The merchant confirmed the order. */
  | 'succeeded'
  /** A time limit passed. The card was not submitted. */
  | 'timeout'
  /** The checkout could not be completed. The card was not submitted. */
  | 'worker_error';

/** A chat to complete. */
export type CompleteChatInput = {
  /** A key that makes retries safe: the same key with the same input returns the first response. Default: the `Idempotency-Key` header. */
  idempotencyKey?: string | null | undefined;
  /** The maximum number of completion tokens; default: the model's limit. */
  maxTokens?: number | null | undefined;
  /** The messages of the chat, oldest first. */
  messages: Array<ChatMessageInput>;
  /** The ID of the model, such as `openai/gpt-4o`. `models` lists all. */
  model: string;
  /** Other parameters by the names in OpenAI's API reference (Create chat completion), such as `tools` and `response_format`. Passed on unchanged. */
  parameters?: unknown;
  /** The sampling temperature, from 0 to 2. Higher values give more random output. */
  temperature?: number | null | undefined;
};

/** Who supplied the text of a confirmation, if not the user. */
export type ConfirmationSource =
  /** The agent's client showed the user a form (MCP elicitation). The model did not write the reply. The evidence states this source. */
  | 'elicited_by_client'
  /** An agent reports the user's reply. The evidence of the order states this source. */
  | 'reported_by_agent';

/** A quoted cart and the user's approval. `shipTo` and `constraints` must equal those of the quote. */
export type DispatchOrderInput = {
  /** The `amountMinor` of the quote's `expectedAmount`, as approved by the user. */
  amountMinor: number;
  /** The token of an approved purchase outside the policy. All other fields must equal those of the first dispatch. */
  approvalToken?: string | null | undefined;
  /** The id of the card. Default: the account's default card. */
  cardId?: string | number | null | undefined;
  /** Spending caps. */
  constraints?: CartConstraintsInput | null | undefined;
  /** The currency of the amount. If given, it must equal the quote's currency. */
  currency?: string | null | undefined;
  /** The id of the selected fulfilment option of the quote. */
  fulfillmentOptionId?: string | null | undefined;
  /** A key that makes retries safe: the same key with the same input returns the first response. Default: the `Idempotency-Key` header. */
  idempotencyKey?: string | null | undefined;
  /** The items to buy, 1 to 50. */
  items: Array<CartItemInput>;
  /** The id of the merchant. */
  merchantId: string | number;
  /** The store to collect from, in the user's words. */
  pickupLocation?: string | null | undefined;
  /** The id of the store to collect from. Takes precedence over `pickupLocation`. */
  pickupLocationId?: string | null | undefined;
  /** A delivery address other than the cardholder's. */
  shipTo?: ShipToInput | null | undefined;
  /** The quote's `shipToSha256`. If given, it must be the digest of `shipTo`. */
  shipToSha256?: string | null | undefined;
  /** Timestamp of the reply. */
  userApprovedAt: string;
  /** Who supplied the reply. By default it counts as the user's own words. */
  userConfirmationSource?: ConfirmationSource | null | undefined;
  /** The user's literal reply, stored as evidence. Do not paraphrase it. */
  userConfirmationText: string;
  /** The user's original request; displayed on the receipt. */
  userPrompt?: string | null | undefined;
};

/** Machine-readable error code: `NOT_FOUND` for `not_found`, the `error` over REST. The meaning of a code never changes. */
export type ErrorCode =
  /** The account is frozen: it can be read, but nothing is paid, signed, ordered or sent for it. */
  | 'account_frozen'
  /** The message to reply to was sent automatically, so no reply was sent. */
  | 'automated_mail'
  /** The wallet has balances that the request for deletion does not give up. */
  | 'balances_remain'
  /** The catalogue or the merchant did not respond. The product may still be on sale. */
  | 'catalog_unavailable'
  /** The network's RPC nodes do not respond. */
  | 'chain_unavailable'
  /** The OAuth client was edited after the reviewer read it. */
  | 'client_changed'
  /** A cap is unknown, or is not an integer of at least 0. */
  | 'constraints_invalid'
  /** An item's unit price exceeds its cap. */
  | 'constraint_item_exceeded'
  /** Delivery exceeds its cap. */
  | 'constraint_shipping_exceeded'
  /** The subtotal exceeds its cap. */
  | 'constraint_subtotal_exceeded'
  /** The total exceeds its cap. */
  | 'constraint_total_exceeded'
  /** The merchant prices delivery at checkout only, so the cap cannot be verified before. */
  | 'constraint_unverifiable'
  /** A cap is exceeded by the current cart, or differs from the one quoted or approved. */
  | 'constraint_violated'
  /** The deletion of the account was requested before. */
  | 'deletion_requested'
  /** The exchange does not respond. */
  | 'dex_unavailable'
  /** An export of the account is in progress, or the account has the maximum number of exports. */
  | 'export_limit'
  /** The credential is valid but does not permit this operation. */
  | 'forbidden'
  /** The first request with this idempotency key, or an equal call of a tool, is still in flight. */
  | 'idempotency_in_flight'
  /** The idempotency key was used for another request. */
  | 'idempotency_key_reused'
  /** Neither free credit nor the wallet covers the amount. */
  | 'insufficient_balance'
  /** The service failed unexpectedly. */
  | 'internal_error'
  /** The one-time code is wrong or has expired. */
  | 'invalid_code'
  /** The input is malformed; `field` names the parameter. */
  | 'invalid_request'
  /** The current status does not permit the requested change. */
  | 'invalid_transition'
  /** The sign-in method cannot be removed: it is the account's only one. */
  | 'last_sign_in_method'
  /** A requested limit exceeds the caller's own. */
  | 'limit_exceeds_own'
  /** The field cannot be changed after approval. */
  | 'locked_field'
  /** The mail server rejected the message or did not respond. */
  | 'mail_failed'
  /** The service has no mail server, so no message was sent. */
  | 'mail_not_configured'
  /** Every usable offer costs more than `maxValue`. */
  | 'max_value_exceeded'
  /** The merchant was explored again after the reviewer read it. */
  | 'merchant_changed'
  /** The search query `q` is missing. */
  | 'missing_query'
  /** The product page's `url` is missing. */
  | 'missing_url'
  /** No provider offers the model. */
  | 'model_not_found'
  /** A check of this service found that the network's RPC serves another network or token. */
  | 'network_degraded'
  /** The URL belongs to a store or a collection, not to a product. */
  | 'not_a_product_url'
  /** The object does not exist, or belongs to another account. */
  | 'not_found'
  /** The page does not belong to a Shopify store. */
  | 'not_shopify'
  /** No offer of the target can be used. */
  | 'no_acceptable_requirement'
  /** The account has no active agent. */
  | 'no_active_agent'
  /** The OAuth request was refused; `error` is the code of the protocol. */
  | 'oauth_error'
  /** A reconnected client sent an operation that moves money again, without an idempotency key. */
  | 'operation_repeated'
  /** The passkey response was not accepted. */
  | 'passkey_refused'
  /** The body or file exceeds the size limit. */
  | 'payload_too_large'
  /** An earlier `upto` permit of this wallet is outstanding on the network, or is being revoked. */
  | 'permit_outstanding'
  /** The pickup location matches no store, or several. */
  | 'pickup_location_unresolved'
  /** The proposal of an administrator was decided before or has expired. */
  | 'proposal_not_pending'
  /** Every provider of the model failed. */
  | 'provider_failed'
  /** The provider rejected the request. */
  | 'provider_refused'
  /** The one-time purchase token already has its payment. */
  | 'purchase_token_used'
  /** Too many requests. */
  | 'rate_limited'
  /** The operation requires a sign-in within the last 10 minutes. */
  | 'reauthentication_required'
  /** The recovery was completed, cancelled or has expired. */
  | 'recovery_ended'
  /** The account already has a pending recovery. */
  | 'recovery_pending'
  /** The act requires two administrators. It was proposed, and nothing else was changed. */
  | 'second_administrator_required'
  /** The operator has frozen the service: data can be read, but nothing is paid, signed, ordered or sent. */
  | 'service_frozen'
  /** The service's database or key store is unreachable or overloaded. */
  | 'service_unavailable'
  /** A field of the delivery address is missing or malformed; `detail` names it. */
  | 'ship_to_invalid'
  /** The destination differs from the one quoted or approved. */
  | 'ship_to_mismatch'
  /** The merchant delivers to the cardholder's address only. */
  | 'ship_to_unsupported'
  /** The request has both a delivery address and a pickup location. */
  | 'ship_to_with_pickup'
  /** The current cart differs from the one quoted or approved. */
  | 'shopify_amount_changed'
  /** The merchant has no product with that SKU. */
  | 'sku_not_found'
  /** A spending limit of the token or the account is exceeded. */
  | 'spending_limit_exceeded'
  /** The target's response is malformed or too large, or it is a 402 response without readable X402 offers. */
  | 'target_response_invalid'
  /** The target did not respond in time. */
  | 'target_timeout'
  /** The target could not be reached, or the connection broke. */
  | 'target_unreachable'
  /** The MCP server refused the call or its payment, and returned no result. */
  | 'tool_call_failed'
  /** The swap was refused before signing, or failed on chain. */
  | 'trade_failed'
  /** The service has no exchange configured. */
  | 'trading_not_configured'
  /** The network rejected the transfer. */
  | 'transfer_failed'
  /** The credential is missing, unknown, expired or revoked. */
  | 'unauthorized'
  /** Product search does not cover the country. */
  | 'unsupported_country'
  /** The network is unknown or not configured. */
  | 'unsupported_network'
  /** The token is unknown, is not an ERC-20 token, or has no liquidity. */
  | 'unsupported_token'
  /** The URL may not be called: its scheme, embedded credentials or a private address. */
  | 'url_not_allowed'
  /** The merchant has no such product or variant. */
  | 'variant_not_found'
  /** X402 payments are disabled for the account. */
  | 'x402_not_enabled';

/** The merchant to explore and the purchase to prepare. */
export type ExploreShopInput = {
  /** The preferred currency. Prices are read in it if the merchant has it. */
  currency?: string | null | undefined;
  /** What to buy, in words; at most 2,000 characters. */
  goal: string;
  /** The URL of a page of the merchant, preferably of a product. */
  merchantUrl: string;
  /** Fulfilment preference, in words; at most 2,000 characters. Later quotes list the options that match it first. */
  prefs?: string | null | undefined;
};

/** The type of a fulfilment option. */
export type FulfillmentType =
  /** Digital goods; nothing is shipped. */
  | 'digital'
  /** Delivered locally by the merchant. */
  | 'local_delivery'
  /** Collected from a store of the merchant. */
  | 'pickup'
  /** Collected from a parcel point. */
  | 'pickup_point'
  /** Shipped to an address. */
  | 'shipping';

/** An HTTP header. */
export type HttpHeaderInput = {
  /** The name of the header. */
  name: string;
  /** The value of the header, at most 8,192 characters. */
  value: string;
};

/** The HTTP method of the request to the target. */
export type HttpMethod =
  /** HTTP DELETE. */
  | 'DELETE'
  /** HTTP GET. */
  | 'GET'
  /** HTTP PATCH. */
  | 'PATCH'
  /** HTTP POST. */
  | 'POST'
  /** HTTP PUT. */
  | 'PUT';

/** Filters for language models. */
export type LanguageModelFilter = {
  /** Case-insensitive match on the ID or name. Default: all models. */
  q?: string | null | undefined;
};

/** The payments that a spending limit counts. */
export type LimitPeriod =
  /** All payments of a UTC day. */
  | 'day'
  /** All payments of a UTC month. */
  | 'month'
  /** A single payment. */
  | 'transaction';

/** The kind of an automated message. */
export type MailAutomation =
  /** An automatic reply, such as an out-of-office notice. */
  | 'auto_reply'
  /** A notification of a mail server about an undelivered message. */
  | 'bounce'
  /** Mail to many recipients, such as a mailing list or a newsletter. */
  | 'bulk'
  /** A report of a mail service that a recipient marked a message as spam (RFC 5965). */
  | 'complaint'
  /** A notification of a mail server that delivery is delayed and still retried. */
  | 'delivery_delay'
  /** A notification of a mail server that a message was delivered or passed on. */
  | 'delivery_receipt'
  /** A read receipt (RFC 8098). It does not prove that the message was read. */
  | 'read_receipt';

/** The status of an event (RFC 5545). */
export type MailCalendarEventStatus =
  /** The event is cancelled. */
  | 'cancelled'
  /** The event is definite. */
  | 'confirmed'
  /** The event is tentative. */
  | 'tentative';

/** The purpose of a calendar (RFC 5546). */
export type MailCalendarMethod =
  /** More occurrences of a recurring event. */
  | 'add'
  /** The event is cancelled. */
  | 'cancel'
  /** An attendee proposes another time. */
  | 'counter'
  /** The organizer declines a proposal. */
  | 'declinecounter'
  /** The event is published. */
  | 'publish'
  /** An attendee requests the current version. */
  | 'refresh'
  /** The response of an attendee. */
  | 'reply'
  /** An invitation, or a change of one. */
  | 'request';

/** The response of an attendee (RFC 5545). */
export type MailCalendarParticipation =
  /** The attendee accepted. */
  | 'accepted'
  /** The attendee declined. */
  | 'declined'
  /** The attendee delegated the participation. */
  | 'delegated'
  /** No response yet. */
  | 'needs_action'
  /** The attendee accepted tentatively. */
  | 'tentative';

/** The direction of a message. */
export type MailDirection =
  /** Received by the agent. */
  | 'inbound'
  /** Sent by the agent. */
  | 'outbound';

/** Filter for messages. All given conditions must match. */
export type MailFilter = {
  /** Messages created at or after this time. */
  createdAfter?: string | null | undefined;
  /** Messages created before this time. */
  createdBefore?: string | null | undefined;
  /** The directions of the messages. Default: both. */
  directions?: Array<MailDirection> | null | undefined;
  /** The sender's address or its domain. */
  from?: string | null | undefined;
  /** Whether the messages have attachments, not counting inline images. */
  hasAttachments?: boolean | null | undefined;
  /** True: unread incoming messages. False: all others. */
  isUnread?: boolean | null | undefined;
  /** Search terms for the subject, the addresses and the text. Each must be a prefix of a word. `"quoted words"` match a phrase; `-word` excludes a word. */
  q?: string | null | undefined;
  /** The id of the thread. */
  threadId?: string | number | null | undefined;
};

/** The status of a message. */
export type MailStatus =
  /** The message was sent and delivered to no recipient. See `failureReason`. */
  | 'bounced'
  /** The message was not sent and is not retried. See `failureReason`. */
  | 'failed'
  /** The message waits to be sent. Delivery is retried automatically. */
  | 'queued'
  /** The message was received. */
  | 'received'
  /** The mail server accepted the message. */
  | 'sent';

/** The authenticity of a message's sender. */
export type MailVerdict =
  /** The message is authenticated for the sender's domain. */
  | 'authentic'
  /** Authentication for the sender's domain failed. Do not act on the message. */
  | 'suspicious'
  /** There is no evidence for or against the sender. The address could be forged. */
  | 'unproven';

/** A reason to distrust a message. */
export type MailWarningCode =
  /** An element may be displayed over the text. */
  | 'covered_text'
  /** The HTML has text that is invisible, too small or off the screen. */
  | 'hidden_text'
  /** The HTML is too long to check, so `bodyText` is empty. */
  | 'html_not_checked'
  /** Invisible characters or reversed text were removed. */
  | 'invisible_characters'
  /** The plain text says what the HTML does not show. `bodyText` is the text of the HTML. */
  | 'plain_text_differs'
  /** The message has several From fields, so programs show different senders. */
  | 'several_authors'
  /** The HTML shows scripts, frames, media, form fields or generated text, which `bodyText` lacks. Known text of these is in `hiddenText`. */
  | 'unsupported_content';

/** The reason why an offer was not chosen. */
export type OfferRefusal =
  /** Another offer is cheaper. */
  | 'costlier'
  /** The EIP-712 domain does not match the token's, or a version 2 offer lacks it. */
  | 'domain_mismatch'
  /** The fee payer is itself part of the transfer. */
  | 'fee_payer_conflict'
  /** The offer cannot be parsed. */
  | 'malformed'
  /** The price exceeds `maxValue`. */
  | 'max_value_exceeded'
  /** The caller may not pay on the network, or the network is not configured. */
  | 'network_not_allowed'
  /** Another offer at the same price is preferred: exact before upto, then the earlier entry. */
  | 'not_preferred'
  /** The caller may not pay the recipient. */
  | 'payee_not_allowed'
  /** The wallet has not approved Permit2 for the asset. */
  | 'permit2_allowance_missing'
  /** The spender of the permit is not a trusted facilitator. */
  | 'spender_not_pinned'
  /** The payment would not fit a header, because it repeats the offer. */
  | 'too_large'
  /** The asset is not USDC. */
  | 'unknown_asset'
  /** The network is unknown. */
  | 'unsupported_network'
  /** The scheme is neither exact nor upto. */
  | 'unsupported_scheme'
  /** The transfer method is not supported. */
  | 'unsupported_transfer_method';

/** The status of a question. */
export type OrderQuestionStatus =
  /** Answered. The order continued with the answer. */
  | 'answered'
  /** No answer arrived in time. */
  | 'expired'
  /** The order waits for the answer. */
  | 'open'
  /** The order ended before an answer arrived. */
  | 'withdrawn';

/** The X402 payment scheme. */
export type PaymentScheme =
  /** Authorizes exactly the price. */
  | 'exact'
  /** Authorizes up to a cap. The target charges the actual cost when it settles. */
  | 'upto';

/** The status of resolving a pickup location to a store. */
export type PickupStatus =
  /** Several stores match; `candidates` lists them. */
  | 'ambiguous'
  /** No store matches; `candidates` lists all stores. */
  | 'not_found'
  /** The request contains no pickup location. */
  | 'not_requested'
  /** Exactly one store matches. */
  | 'resolved'
  /** Pickup is not available for the order. */
  | 'unavailable';

/** The credential to present, its audience, and the claims to disclose. */
export type PresentAgentCredentialInput = {
  /** The verifier's identifier, usually its origin, such as `https://merchant.example`. */
  audience: string;
  /** The claims to disclose, such as `trust_score` or `limits.daily_usd`. A name includes all claims beneath it. At most 100 names. Default: none, so the presentation proves only that Satchel issued it for the agent's key. */
  disclose?: Array<string> | null | undefined;
  /** The kind of the credential. */
  kind: AgentCredentialKind;
  /** The nonce issued by the verifier. It prevents replay. */
  nonce: string;
};

/** Input of `replyToMail`. */
export type ReplyToMailInput = {
  /** Ids of attachments, from `POST /api/agent/email/attachments` or from another message. At most 50, and 20 MiB in total. */
  attachmentIds?: Array<string | number> | null | undefined;
  /** The plain text body. At most 256 KiB. */
  body: string;
  /** Whether to reply even if the message is automated. Default: false. */
  force?: boolean | null | undefined;
  /** A key that makes retries safe: the same key with the same input returns the first response. Default: the `Idempotency-Key` header. */
  idempotencyKey?: string | null | undefined;
  /** The id of the message to reply to. */
  messageId: string | number;
  /** Whether to include the message's other recipients. Default: false. */
  replyAll?: boolean | null | undefined;
};

/** The request that the payment is for. */
export type RequestDataInput = {
  /** The HTTP method of the request; default `GET`. */
  method?: RequestMethod;
  /** The URL of the request. */
  url: string;
};

/** The HTTP method of a request that the caller sends itself. */
export type RequestMethod =
  /** HTTP DELETE. */
  | 'DELETE'
  /** HTTP GET. */
  | 'GET'
  /** HTTP HEAD. */
  | 'HEAD'
  /** HTTP OPTIONS. */
  | 'OPTIONS'
  /** HTTP PATCH. */
  | 'PATCH'
  /** HTTP POST. */
  | 'POST'
  /** HTTP PUT. */
  | 'PUT';

/** The only next call that the client should make. Branch on it rather than on the error code. */
export type RetryAction =
  /** Stop and contact support. */
  | 'contact_support'
  /** Let the user complete the purchase on the merchant's site. */
  | 'handoff'
  /** No further call. */
  | 'none'
  /** Poll again later; the order has not ended. */
  | 'poll'
  /** Request a new quote, have it approved, and dispatch it. */
  | 're_preview';

/** Input of `sendMail`. */
export type SendMailInput = {
  /** Ids of attachments, from `POST /api/agent/email/attachments` or from another message. At most 50, and 20 MiB in total. */
  attachmentIds?: Array<string | number> | null | undefined;
  /** The plain text body. At most 256 KiB. */
  body: string;
  /** The addresses of copy recipients, without display names. */
  cc?: Array<string> | null | undefined;
  /** The id of a draft to delete when the email is stored. */
  draftId?: string | number | null | undefined;
  /** A key that makes retries safe: the same key with the same input returns the first response. Default: the `Idempotency-Key` header. */
  idempotencyKey?: string | null | undefined;
  /** The subject: one line of at most 500 characters. */
  subject: string;
  /** The recipients' addresses, without display names. At most 20 together with `cc`. */
  to: Array<string>;
};

/** A postal address. As a delivery address it does not replace the cardholder's contact details. */
export type ShipToInput = {
  /** Street and number. Required. */
  address1?: string | null | undefined;
  /** Apartment or floor. */
  address2?: string | null | undefined;
  /** City. Required. */
  city?: string | null | undefined;
  /** Company. */
  company?: string | null | undefined;
  /** Country. Required. */
  countryCode?: string | null | undefined;
  /** First name. Required. */
  firstName?: string | null | undefined;
  /** Last name. Required. */
  lastName?: string | null | undefined;
  /** The recipient's phone number, for the carrier. */
  phone?: string | null | undefined;
  /** Postal code. Required. */
  postalCode?: string | null | undefined;
  /** Province or state code, such as CA, in countries that have them. */
  provinceCode?: string | null | undefined;
};

/** Input of `signPayment`. */
export type SignPaymentInput = {
  /** A key that makes retries safe: the same key with the same input returns the first response. Default: the `Idempotency-Key` header. */
  idempotencyKey?: string | null | undefined;
  /** The maximum price in the asset's smallest unit. By default only the caller's limits apply. */
  maxValue?: string | null | undefined;
  /** The unchanged body of a 402 response, its `accepts`, or one entry of `accepts`; X402 version 1 or 2. */
  paymentRequirements: unknown;
  /** The request that the payment is for. */
  requestData: RequestDataInput;
};

/** The kind of a trade fee. */
export type TradeFeeKind =
  /** The exchange's fee, deducted from the sold or bought amount. */
  | 'exchange'
  /** The exchange's gas fee, deducted from the sold or bought amount. */
  | 'gas'
  /** Satchel's fee, deducted from the sold or bought amount. */
  | 'integrator'
  /** The network fee, paid in the network's native coin. */
  | 'network';

/** Input of `trade`. */
export type TradeInput = {
  /** The amount of the token to buy at least, in place of `sellAmount`. The exchange determines the sold amount. The slippage tolerance limits how much more than quoted is sold. */
  buyAmount?: string | null | undefined;
  /** The token to buy. A symbol such as `USDC`, or a contract address. */
  buyToken: string;
  /** A key that makes retries safe: the same key with the same input returns the first response. Default: the `Idempotency-Key` header. */
  idempotencyKey?: string | null | undefined;
  /** The maximum of the token to sell for `buyAmount`, for example `maxSold` of the quote that was shown. If the price rose above it, nothing is reserved or signed. Default: only the slippage tolerance bounds the trade. */
  maxSellAmount?: string | null | undefined;
  /** The minimum of the token to buy, for example `minBought` of the quote that was shown. If the price fell below it, nothing is reserved or signed. Default: only the slippage tolerance bounds the trade. */
  minBuyAmount?: string | null | undefined;
  /** The network of the trade. Only `base`, the default, is supported. */
  network?: string | null | undefined;
  /** Whether to sell the whole balance of the token, to its smallest unit, in place of `sellAmount`. Not for the native coin. Default: false. */
  sellAll?: boolean | null | undefined;
  /** The amount of the token to sell, for example `"12.5"`. At most as many decimal places as the token has. Required without `sellAll` and `buyAmount`. */
  sellAmount?: string | null | undefined;
  /** The token to sell. A symbol such as `USDC`, or a contract address. */
  sellToken: string;
  /** The slippage tolerance in percent, from 0 to 50 with at most 2 decimals; default 1. */
  slippagePercentage?: number | null | undefined;
};

/** A reason to consider a trade again. */
export type TradeQuoteWarning =
  /** The price is at least 5% worse than that of a small amount. */
  | 'high_price_impact'
  /** The wallet has less of the sold token. */
  | 'insufficient_balance'
  /** The wallet lacks the native coin. The network fee is paid in USDC, which counts against the limits. */
  | 'network_fee_in_usdc'
  /** The exchange could not simulate the swap. */
  | 'not_simulated'
  /** The contract of a token deducts a tax. */
  | 'token_tax'
  /** A token is not one that trades accept by symbol. Its contract chose symbol and name. */
  | 'unlisted_token';

/** The status of a trade. Transitions go forward only. */
export type TradeStatus =
  /** Signed; the token allowance for the exchange is being set. */
  | 'approving'
  /** The swap was not executed, or returned less than its minimum; see `failureReason`. */
  | 'failed'
  /** The sold amount is reserved and the swap is simulated. Nothing is signed. */
  | 'pending'
  /** The swap succeeded on chain. */
  | 'settled'
  /** The swap was sent to the network. */
  | 'submitted';

/** The direction of a transaction. */
export type TransactionDirection =
  /** Incoming: to the account. */
  | 'in'
  /** Outgoing: from the account. */
  | 'out';

/** A filter on transactions. All given conditions must match. */
export type TransactionFilter = {
  /** Only transactions reserved at or after this time. */
  createdAfter?: string | null | undefined;
  /** Only transactions reserved before this time. */
  createdBefore?: string | null | undefined;
  /** The networks of the transactions. Default: all. */
  networks?: Array<string> | null | undefined;
  /** The statuses of the transactions. Default: all. */
  statuses?: Array<TransactionStatus> | null | undefined;
  /** The types of the transactions. Default: all. */
  types?: Array<TransactionType> | null | undefined;
};

/** The status of a transaction. The last three are final. */
export type TransactionStatus =
  /** Rejected by the network. The amount is refunded to every limit. */
  | 'failed'
  /** Not executed, and no longer executable. The amount is refunded to every limit. */
  | 'released'
  /** Counted against every limit and not yet signed. */
  | 'reserved'
  /** Settled on the network. */
  | 'settled'
  /** Signed and not yet settled on the network. */
  | 'signed';

/** The type of a transaction. */
export type TransactionType =
  /** Free credit granted to the account. */
  | 'credit'
  /** An incoming transfer of tokens. */
  | 'deposit'
  /** A call of the AI gateway. */
  | 'gateway'
  /** A swap of tokens. */
  | 'trade'
  /** A transfer of tokens to an address. */
  | 'transfer'
  /** A payment for an X402 resource. */
  | 'x402';

/** The reason for which a merchant cannot serve a buyer. */
export type UnfulfillableCode =
  /** The merchant does not ship to the country. */
  | 'address_undeliverable'
  /** An item is out of stock, or not available in the requested quantity. */
  | 'item_unavailable'
  /** The order is below the merchant's minimum. */
  | 'minimum_not_met'
  /** The merchant offers no fulfilment option for the cart and address. */
  | 'no_rates'
  /** The items are available for pickup only. */
  | 'pickup_only';

/** Input of `x402Fetch`. */
export type X402FetchInput = {
  /** The request body, sent to the target as JSON. */
  body?: unknown;
  /** Headers to send to the target. Satchel credentials are never forwarded. */
  headers?: Array<HttpHeaderInput> | null | undefined;
  /** A key that makes retries safe: the same key with the same input returns the first response. Default: the `Idempotency-Key` header. */
  idempotencyKey?: string | null | undefined;
  /** The maximum price in the asset's smallest unit. By default only the caller's limits apply. */
  maxValue?: string | null | undefined;
  /** The HTTP method of the request; default `GET`. */
  method?: HttpMethod;
  /** The time limit for the target, at most 120000; default 30000. */
  timeoutMs?: number;
  /** The URL of the target. */
  url: string;
};

export type TransactionChangesSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type TransactionChangesSubscription = { transactionUpdated: { transaction: { transactionId: string, createdAt: string } } };

export type OrderChangesSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type OrderChangesSubscription = { orderUpdated: { order: { orderId: string, createdAt: string } } };

export type EmailChangesSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type EmailChangesSubscription = { mailUpdated: { message: { messageId: string, createdAt: string } } };

export type SignPaymentMutationVariables = Exact<{
  input: SignPaymentInput;
}>;


export type SignPaymentMutation = { signPayment:
    | { __typename: 'ChainUnavailableError', code: ErrorCode, message: string }
    | { __typename: 'ForbiddenError', code: ErrorCode, message: string }
    | { __typename: 'IdempotencyInFlightError', code: ErrorCode, message: string }
    | { __typename: 'IdempotencyKeyReusedError', field: string | null, code: ErrorCode, message: string }
    | { __typename: 'InsufficientBalanceError', network: string, code: ErrorCode, message: string, remaining: { amount: string, symbol: string }, required: { amount: string, symbol: string } }
    | { __typename: 'InvalidRequestError', field: string | null, code: ErrorCode, message: string }
    | { __typename: 'MaxValueExceededError', code: ErrorCode, message: string, required: { amount: string, symbol: string } }
    | { __typename: 'NoAcceptableRequirementError', code: ErrorCode, message: string, considered: Array<{ refusal: OfferRefusal | null, explanation: string }> }
    | { __typename: 'NotFoundError', code: ErrorCode, message: string }
    | { __typename: 'PermitOutstandingError', code: ErrorCode, message: string }
    | { __typename: 'RateLimitedError', retryAfterMs: number, code: ErrorCode, message: string }
    | { __typename: 'SignPaymentSuccess', transactionId: string, headerName: string, paymentHeader: string, amountPaidUsd: string, network: string, scheme: PaymentScheme, paidFromCredit: boolean }
    | { __typename: 'SpendingLimitExceededError', period: LimitPeriod, limitUsd: string, remainingUsd: string, requiredUsd: string, code: ErrorCode, message: string }
    | { __typename: 'UnsupportedNetworkError', field: string | null, code: ErrorCode, message: string }
    | { __typename: 'X402NotEnabledError', code: ErrorCode, message: string }
   | null };

export type ListModelsQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  filter?: LanguageModelFilter | null | undefined;
}>;


export type ListModelsQuery = { models: { edges: Array<{ cursor: string, node: { id: string, contextLength: number, pricing: { prompt: string, completion: string, request: string } } }>, pageInfo: { hasNextPage: boolean } } | null };

export type ChatMutationVariables = Exact<{
  input: CompleteChatInput;
}>;


export type ChatMutation = { completeChat:
    | { __typename: 'ChainUnavailableError', code: ErrorCode, message: string }
    | { __typename: 'CompleteChatSuccess', costUsd: string, call: { callId: string } | null, choices: Array<{ finishReason: ChatFinishReason | null, message: { content: string | null, refusal: string | null } }>, usage: { promptTokens: number, completionTokens: number } | null }
    | { __typename: 'ForbiddenError', code: ErrorCode, message: string }
    | { __typename: 'IdempotencyInFlightError', code: ErrorCode, message: string }
    | { __typename: 'IdempotencyKeyReusedError', field: string | null, code: ErrorCode, message: string }
    | { __typename: 'InsufficientBalanceError', network: string, code: ErrorCode, message: string, remaining: { amount: string, symbol: string }, required: { amount: string, symbol: string } }
    | { __typename: 'InvalidRequestError', field: string | null, code: ErrorCode, message: string }
    | { __typename: 'MaxValueExceededError', code: ErrorCode, message: string, required: { amount: string, symbol: string } }
    | { __typename: 'ModelNotFoundError', field: string | null, code: ErrorCode, message: string }
    | { __typename: 'NoAcceptableRequirementError', code: ErrorCode, message: string, considered: Array<{ refusal: OfferRefusal | null, explanation: string }> }
    | { __typename: 'NotFoundError', code: ErrorCode, message: string }
    | { __typename: 'PermitOutstandingError', code: ErrorCode, message: string }
    | { __typename: 'ProviderFailedError', paidTransactionId: string | null, code: ErrorCode, message: string }
    | { __typename: 'ProviderRefusedError', paidTransactionId: string | null, providerStatus: number, code: ErrorCode, message: string }
    | { __typename: 'RateLimitedError', retryAfterMs: number, code: ErrorCode, message: string }
    | { __typename: 'SpendingLimitExceededError', period: LimitPeriod, limitUsd: string, remainingUsd: string, requiredUsd: string, code: ErrorCode, message: string }
    | { __typename: 'UnsupportedNetworkError', field: string | null, code: ErrorCode, message: string }
    | { __typename: 'X402NotEnabledError', code: ErrorCode, message: string }
   | null };

export type EmailSummaryFragment = { messageId: string, direction: MailDirection, status: MailStatus, from: string, fromName: string, to: Array<string>, subject: string, preview: string, isRead: boolean, createdAt: string, attachments: Array<{ attachmentId: string }> };

export type ListEmailsQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  filter: MailFilter;
}>;


export type ListEmailsQuery = { viewer: { mailbox: { address: string, unreadCount: number, messages: { edges: Array<{ cursor: string, node: { messageId: string, direction: MailDirection, status: MailStatus, from: string, fromName: string, to: Array<string>, subject: string, preview: string, isRead: boolean, createdAt: string, attachments: Array<{ attachmentId: string }> } }>, pageInfo: { hasNextPage: boolean } } | null } | null } | null };

export type GetEmailQueryVariables = Exact<{
  id: string | number;
}>;


export type GetEmailQuery = { mailMessage: { cc: Array<string>, bodyText: string, hiddenText: string | null, automated: MailAutomation | null, failureReason: string | null, messageId: string, direction: MailDirection, status: MailStatus, from: string, fromName: string, to: Array<string>, subject: string, preview: string, isRead: boolean, createdAt: string, warnings: Array<{ code: MailWarningCode, message: string }>, calendarEvents: Array<{ method: MailCalendarMethod | null, uid: string, sequence: number, recurrenceId: string | null, summary: string, description: string, location: string, startLocal: string | null, endLocal: string | null, startAt: string | null, endAt: string | null, timeZone: string | null, isAllDay: boolean, recurrenceRule: string | null, status: MailCalendarEventStatus | null, organizer: { address: string, name: string } | null, attendees: Array<{ address: string, name: string, status: MailCalendarParticipation }> }>, thread: { threadId: string, messageCount: number }, authentication: { verdict: MailVerdict } | null, attachments: Array<{ attachmentId: string, filename: string, contentType: string, sizeBytes: number }> } | null };

export type GetAttachmentQueryVariables = Exact<{
  id: string | number;
  offset: number;
  length: number;
}>;


export type GetAttachmentQuery = { mailAttachment: { attachmentId: string, filename: string, contentType: string, sizeBytes: number, sha256: string, contentBase64: string } | null };

export type SentEmailFieldsFragment = { messageId: string, status: MailStatus, from: string, to: Array<string>, cc: Array<string>, subject: string };

export type SendEmailMutationVariables = Exact<{
  input: SendMailInput;
}>;


export type SendEmailMutation = { sendMail:
    | { __typename: 'ForbiddenError', code: ErrorCode, message: string }
    | { __typename: 'IdempotencyInFlightError', code: ErrorCode, message: string }
    | { __typename: 'IdempotencyKeyReusedError', field: string | null, code: ErrorCode, message: string }
    | { __typename: 'InvalidRequestError', field: string | null, code: ErrorCode, message: string }
    | { __typename: 'MailNotConfiguredError', code: ErrorCode, message: string }
    | { __typename: 'MailNotSentError', isQueued: boolean, code: ErrorCode, message: string, mailMessage: { messageId: string } }
    | { __typename: 'NoActiveAgentError', code: ErrorCode, message: string }
    | { __typename: 'NotFoundError', code: ErrorCode, message: string }
    | { __typename: 'RateLimitedError', retryAfterMs: number, code: ErrorCode, message: string }
    | { __typename: 'SendMailSuccess', mailMessage: { messageId: string, status: MailStatus, from: string, to: Array<string>, cc: Array<string>, subject: string } }
   | null };

export type ReplyToEmailMutationVariables = Exact<{
  input: ReplyToMailInput;
}>;


export type ReplyToEmailMutation = { replyToMail:
    | { __typename: 'AutomatedMailError', code: ErrorCode, message: string }
    | { __typename: 'ForbiddenError', code: ErrorCode, message: string }
    | { __typename: 'IdempotencyInFlightError', code: ErrorCode, message: string }
    | { __typename: 'IdempotencyKeyReusedError', field: string | null, code: ErrorCode, message: string }
    | { __typename: 'InvalidRequestError', field: string | null, code: ErrorCode, message: string }
    | { __typename: 'MailNotConfiguredError', code: ErrorCode, message: string }
    | { __typename: 'MailNotSentError', isQueued: boolean, code: ErrorCode, message: string, mailMessage: { messageId: string } }
    | { __typename: 'NoActiveAgentError', code: ErrorCode, message: string }
    | { __typename: 'NotFoundError', code: ErrorCode, message: string }
    | { __typename: 'RateLimitedError', retryAfterMs: number, code: ErrorCode, message: string }
    | { __typename: 'ReplyToMailSuccess', mailMessage: { messageId: string, status: MailStatus, from: string, to: Array<string>, cc: Array<string>, subject: string } }
   | null };

type ToolFailure_AmountChangedError_Fragment = { code: ErrorCode, message: string };

type ToolFailure_ApprovalClosedError_Fragment = { code: ErrorCode, message: string };

type ToolFailure_AutomatedMailError_Fragment = { code: ErrorCode, message: string };

type ToolFailure_BalancesRemainError_Fragment = { code: ErrorCode, message: string };

type ToolFailure_CatalogUnavailableError_Fragment = { code: ErrorCode, message: string };

type ToolFailure_ChainUnavailableError_Fragment = { code: ErrorCode, message: string };

type ToolFailure_ClientChangedError_Fragment = { code: ErrorCode, message: string };

type ToolFailure_ConstraintExceededError_Fragment = { code: ErrorCode, message: string };

type ToolFailure_ConstraintUnverifiableError_Fragment = { code: ErrorCode, message: string };

type ToolFailure_ConstraintViolatedError_Fragment = { code: ErrorCode, message: string };

type ToolFailure_ConstraintsInvalidError_Fragment = { code: ErrorCode, message: string };

type ToolFailure_DeletionRequestedError_Fragment = { code: ErrorCode, message: string };

type ToolFailure_DexUnavailableError_Fragment = { code: ErrorCode, message: string };

type ToolFailure_ExportLimitError_Fragment = { code: ErrorCode, message: string };

type ToolFailure_ForbiddenError_Fragment = { code: ErrorCode, message: string };

type ToolFailure_IdempotencyInFlightError_Fragment = { code: ErrorCode, message: string };

type ToolFailure_IdempotencyKeyReusedError_Fragment = { field: string | null, code: ErrorCode, message: string };

type ToolFailure_InsufficientBalanceError_Fragment = { network: string, code: ErrorCode, message: string, remaining: { amount: string, symbol: string }, required: { amount: string, symbol: string } };

type ToolFailure_InvalidCodeError_Fragment = { code: ErrorCode, message: string };

type ToolFailure_InvalidRequestError_Fragment = { field: string | null, code: ErrorCode, message: string };

type ToolFailure_InvalidTransitionError_Fragment = { code: ErrorCode, message: string };

type ToolFailure_ItemCapExceededError_Fragment = { code: ErrorCode, message: string };

type ToolFailure_LastSignInMethodError_Fragment = { code: ErrorCode, message: string };

type ToolFailure_LimitExceedsOwnError_Fragment = { code: ErrorCode, message: string };

type ToolFailure_LockedFieldError_Fragment = { code: ErrorCode, message: string };

type ToolFailure_MailFailedError_Fragment = { code: ErrorCode, message: string };

type ToolFailure_MailNotConfiguredError_Fragment = { code: ErrorCode, message: string };

type ToolFailure_MailNotSentError_Fragment = { isQueued: boolean, code: ErrorCode, message: string, mailMessage: { messageId: string } };

type ToolFailure_MaxValueExceededError_Fragment = { code: ErrorCode, message: string, required: { amount: string, symbol: string } };

type ToolFailure_MerchantChangedError_Fragment = { code: ErrorCode, message: string };

type ToolFailure_MissingQueryError_Fragment = { code: ErrorCode, message: string };

type ToolFailure_MissingUrlError_Fragment = { code: ErrorCode, message: string };

type ToolFailure_ModelNotFoundError_Fragment = { field: string | null, code: ErrorCode, message: string };

type ToolFailure_NoAcceptableRequirementError_Fragment = { code: ErrorCode, message: string, considered: Array<{ refusal: OfferRefusal | null, explanation: string }> };

type ToolFailure_NoActiveAgentError_Fragment = { code: ErrorCode, message: string };

type ToolFailure_NotAProductUrlError_Fragment = { code: ErrorCode, message: string };

type ToolFailure_NotFoundError_Fragment = { code: ErrorCode, message: string };

type ToolFailure_NotShopifyError_Fragment = { code: ErrorCode, message: string };

type ToolFailure_OAuthProtocolError_Fragment = { code: ErrorCode, message: string };

type ToolFailure_PasskeyRefusedError_Fragment = { code: ErrorCode, message: string };

type ToolFailure_PermitOutstandingError_Fragment = { code: ErrorCode, message: string };

type ToolFailure_PickupUnresolvedError_Fragment = { code: ErrorCode, message: string };

type ToolFailure_ProposalNotPendingError_Fragment = { code: ErrorCode, message: string };

type ToolFailure_ProviderFailedError_Fragment = { paidTransactionId: string | null, code: ErrorCode, message: string };

type ToolFailure_ProviderRefusedError_Fragment = { paidTransactionId: string | null, providerStatus: number, code: ErrorCode, message: string };

type ToolFailure_PurchaseTokenUsedError_Fragment = { code: ErrorCode, message: string };

type ToolFailure_QuestionClosedError_Fragment = { code: ErrorCode, message: string };

type ToolFailure_RateLimitedError_Fragment = { retryAfterMs: number, code: ErrorCode, message: string };

type ToolFailure_ReauthenticationRequiredError_Fragment = { code: ErrorCode, message: string };

type ToolFailure_RecoveryEndedError_Fragment = { code: ErrorCode, message: string };

type ToolFailure_RecoveryPendingError_Fragment = { code: ErrorCode, message: string };

type ToolFailure_SecondAdministratorRequiredError_Fragment = { code: ErrorCode, message: string };

type ToolFailure_ShipToInvalidError_Fragment = { code: ErrorCode, message: string };

type ToolFailure_ShipToMismatchError_Fragment = { code: ErrorCode, message: string };

type ToolFailure_ShipToUnsupportedError_Fragment = { code: ErrorCode, message: string };

type ToolFailure_ShipToWithPickupError_Fragment = { code: ErrorCode, message: string };

type ToolFailure_SkuNotFoundError_Fragment = { code: ErrorCode, message: string };

type ToolFailure_SpendingLimitExceededError_Fragment = { period: LimitPeriod, limitUsd: string, remainingUsd: string, requiredUsd: string, code: ErrorCode, message: string };

type ToolFailure_TargetResponseInvalidError_Fragment = { paidTransactionId: string | null, code: ErrorCode, message: string };

type ToolFailure_TargetTimeoutError_Fragment = { paidTransactionId: string | null, code: ErrorCode, message: string };

type ToolFailure_TargetUnreachableError_Fragment = { paidTransactionId: string | null, code: ErrorCode, message: string };

type ToolFailure_ToolCallFailedError_Fragment = { paidTransactionId: string | null, code: ErrorCode, message: string };

type ToolFailure_TradeFailedError_Fragment = { code: ErrorCode, message: string };

type ToolFailure_TradingNotConfiguredError_Fragment = { code: ErrorCode, message: string };

type ToolFailure_TransferFailedError_Fragment = { code: ErrorCode, message: string };

type ToolFailure_UnsupportedCountryError_Fragment = { code: ErrorCode, message: string };

type ToolFailure_UnsupportedNetworkError_Fragment = { field: string | null, code: ErrorCode, message: string };

type ToolFailure_UnsupportedTokenError_Fragment = { field: string | null, code: ErrorCode, message: string };

type ToolFailure_UrlNotAllowedError_Fragment = { field: string | null, code: ErrorCode, message: string };

type ToolFailure_VariantNotFoundError_Fragment = { code: ErrorCode, message: string };

type ToolFailure_X402NotEnabledError_Fragment = { code: ErrorCode, message: string };

export type ToolFailureFragment =
  | ToolFailure_AmountChangedError_Fragment
  | ToolFailure_ApprovalClosedError_Fragment
  | ToolFailure_AutomatedMailError_Fragment
  | ToolFailure_BalancesRemainError_Fragment
  | ToolFailure_CatalogUnavailableError_Fragment
  | ToolFailure_ChainUnavailableError_Fragment
  | ToolFailure_ClientChangedError_Fragment
  | ToolFailure_ConstraintExceededError_Fragment
  | ToolFailure_ConstraintUnverifiableError_Fragment
  | ToolFailure_ConstraintViolatedError_Fragment
  | ToolFailure_ConstraintsInvalidError_Fragment
  | ToolFailure_DeletionRequestedError_Fragment
  | ToolFailure_DexUnavailableError_Fragment
  | ToolFailure_ExportLimitError_Fragment
  | ToolFailure_ForbiddenError_Fragment
  | ToolFailure_IdempotencyInFlightError_Fragment
  | ToolFailure_IdempotencyKeyReusedError_Fragment
  | ToolFailure_InsufficientBalanceError_Fragment
  | ToolFailure_InvalidCodeError_Fragment
  | ToolFailure_InvalidRequestError_Fragment
  | ToolFailure_InvalidTransitionError_Fragment
  | ToolFailure_ItemCapExceededError_Fragment
  | ToolFailure_LastSignInMethodError_Fragment
  | ToolFailure_LimitExceedsOwnError_Fragment
  | ToolFailure_LockedFieldError_Fragment
  | ToolFailure_MailFailedError_Fragment
  | ToolFailure_MailNotConfiguredError_Fragment
  | ToolFailure_MailNotSentError_Fragment
  | ToolFailure_MaxValueExceededError_Fragment
  | ToolFailure_MerchantChangedError_Fragment
  | ToolFailure_MissingQueryError_Fragment
  | ToolFailure_MissingUrlError_Fragment
  | ToolFailure_ModelNotFoundError_Fragment
  | ToolFailure_NoAcceptableRequirementError_Fragment
  | ToolFailure_NoActiveAgentError_Fragment
  | ToolFailure_NotAProductUrlError_Fragment
  | ToolFailure_NotFoundError_Fragment
  | ToolFailure_NotShopifyError_Fragment
  | ToolFailure_OAuthProtocolError_Fragment
  | ToolFailure_PasskeyRefusedError_Fragment
  | ToolFailure_PermitOutstandingError_Fragment
  | ToolFailure_PickupUnresolvedError_Fragment
  | ToolFailure_ProposalNotPendingError_Fragment
  | ToolFailure_ProviderFailedError_Fragment
  | ToolFailure_ProviderRefusedError_Fragment
  | ToolFailure_PurchaseTokenUsedError_Fragment
  | ToolFailure_QuestionClosedError_Fragment
  | ToolFailure_RateLimitedError_Fragment
  | ToolFailure_ReauthenticationRequiredError_Fragment
  | ToolFailure_RecoveryEndedError_Fragment
  | ToolFailure_RecoveryPendingError_Fragment
  | ToolFailure_SecondAdministratorRequiredError_Fragment
  | ToolFailure_ShipToInvalidError_Fragment
  | ToolFailure_ShipToMismatchError_Fragment
  | ToolFailure_ShipToUnsupportedError_Fragment
  | ToolFailure_ShipToWithPickupError_Fragment
  | ToolFailure_SkuNotFoundError_Fragment
  | ToolFailure_SpendingLimitExceededError_Fragment
  | ToolFailure_TargetResponseInvalidError_Fragment
  | ToolFailure_TargetTimeoutError_Fragment
  | ToolFailure_TargetUnreachableError_Fragment
  | ToolFailure_ToolCallFailedError_Fragment
  | ToolFailure_TradeFailedError_Fragment
  | ToolFailure_TradingNotConfiguredError_Fragment
  | ToolFailure_TransferFailedError_Fragment
  | ToolFailure_UnsupportedCountryError_Fragment
  | ToolFailure_UnsupportedNetworkError_Fragment
  | ToolFailure_UnsupportedTokenError_Fragment
  | ToolFailure_UrlNotAllowedError_Fragment
  | ToolFailure_VariantNotFoundError_Fragment
  | ToolFailure_X402NotEnabledError_Fragment
;

export type GetIdentityQueryVariables = Exact<{ [key: string]: never; }>;


export type GetIdentityQuery = { viewer: { agent: { agentId: number | null, network: string, registry: string, status: AgentStatus, walletAddress: string, email: string | null, registrationUrl: string, explorerUrl: string | null, trustScore: { score: number }, trustCredential: { kind: AgentCredentialKind, expiresAt: string, disclosableClaims: Array<string> } | null, delegationCredential: { kind: AgentCredentialKind, expiresAt: string, disclosableClaims: Array<string> } | null } | null, agentRegistration: { state: AgentRegistrationState, notices: Array<string> } } | null };

export type CredentialSummaryFragment = { kind: AgentCredentialKind, expiresAt: string, disclosableClaims: Array<string> };

export type PresentCredentialMutationVariables = Exact<{
  input: PresentAgentCredentialInput;
}>;


export type PresentCredentialMutation = { presentAgentCredential:
    | { __typename: 'ForbiddenError', code: ErrorCode, message: string }
    | { __typename: 'InvalidRequestError', field: string | null, code: ErrorCode, message: string }
    | { __typename: 'NotFoundError', code: ErrorCode, message: string }
    | { __typename: 'PresentAgentCredentialSuccess', presentation: string, disclosed: Array<string>, credential: { expiresAt: string } }
    | { __typename: 'RateLimitedError', retryAfterMs: number, code: ErrorCode, message: string }
   | null };

export type QuoteCartQueryVariables = Exact<{
  input: CartQuoteInput;
}>;


export type QuoteCartQuery = { cartQuote:
    | { __typename: 'CartQuoteSuccess', currency: string, requiresFulfillmentChoice: boolean, selectedOptionId: string | null, amountIsFinal: boolean, lines: Array<{ sku: string, title: string, variantTitle: string | null, quantity: number, available: boolean, total: { amount: string } }>, subtotal: { amount: string }, fulfillmentOptions: Array<{ optionId: string, type: FulfillmentType, title: string, description: string | null, amount: { amount: string }, location: { pickupLocationId: string, name: string, address: string | null } | null }>, expectedAmount: { amount: string, amountMinor: number } | null, shipTo: { recipient: string, city: string, countryCode: string } | null, unfulfillable: { code: UnfulfillableCode, message: string, skus: Array<string> } | null, pickupResolution: { status: PickupStatus, reason: string | null, candidates: Array<{ pickupLocationId: string, name: string, address: string | null }> } }
    | { __typename: 'CatalogUnavailableError', code: ErrorCode, message: string }
    | { __typename: 'ConstraintExceededError', code: ErrorCode, message: string }
    | { __typename: 'ConstraintUnverifiableError', code: ErrorCode, message: string }
    | { __typename: 'ConstraintsInvalidError', code: ErrorCode, message: string }
    | { __typename: 'ForbiddenError', code: ErrorCode, message: string }
    | { __typename: 'InvalidRequestError', field: string | null, code: ErrorCode, message: string }
    | { __typename: 'ItemCapExceededError', code: ErrorCode, message: string }
    | { __typename: 'NotFoundError', code: ErrorCode, message: string }
    | { __typename: 'NotShopifyError', code: ErrorCode, message: string }
    | { __typename: 'ShipToInvalidError', code: ErrorCode, message: string, detail: string }
    | { __typename: 'ShipToUnsupportedError', code: ErrorCode, message: string }
    | { __typename: 'ShipToWithPickupError', code: ErrorCode, message: string }
    | { __typename: 'SkuNotFoundError', code: ErrorCode, message: string, sku: string, nearest: Array<{ sku: string, title: string }> }
   | null };

export type PlaceOrderMutationVariables = Exact<{
  input: DispatchOrderInput;
}>;


export type PlaceOrderMutation = { dispatchOrder:
    | { __typename: 'AmountChangedError', code: ErrorCode, message: string, approved: { amount: string, currency: string }, expected: { amount: string, currency: string } | null }
    | { __typename: 'CatalogUnavailableError', code: ErrorCode, message: string }
    | { __typename: 'ConstraintViolatedError', code: ErrorCode, message: string }
    | { __typename: 'ConstraintsInvalidError', code: ErrorCode, message: string }
    | { __typename: 'DispatchOrderSuccess', order: { orderId: string, status: CheckoutOrderStatus, isTerminal: boolean, errorCode: CheckoutOrderErrorCode | null, errorMessage: string | null, orderUrl: string, question:
          | { __typename: 'OrderQuestion', questionId: string, text: string, expiresAt: string | null }
          | { __typename: 'SecurityCodeQuestion', expiresAt: string | null }
          | { __typename: 'ThreeDSecureQuestion', expiresAt: string | null }
         | null }, requiredApproval: { approvalToken: string, approvalUrl: string, expiresInSeconds: number, reasonText: string, approval: { approvalId: string, status: ApprovalStatus, expiresAt: string } } | null }
    | { __typename: 'ForbiddenError', code: ErrorCode, message: string }
    | { __typename: 'IdempotencyInFlightError', code: ErrorCode, message: string }
    | { __typename: 'IdempotencyKeyReusedError', field: string | null, code: ErrorCode, message: string }
    | { __typename: 'InvalidRequestError', field: string | null, code: ErrorCode, message: string }
    | { __typename: 'NotFoundError', code: ErrorCode, message: string }
    | { __typename: 'NotShopifyError', code: ErrorCode, message: string }
    | { __typename: 'PickupUnresolvedError', code: ErrorCode, message: string }
    | { __typename: 'RateLimitedError', retryAfterMs: number, code: ErrorCode, message: string }
    | { __typename: 'ShipToInvalidError', code: ErrorCode, message: string, detail: string }
    | { __typename: 'ShipToMismatchError', code: ErrorCode, message: string }
    | { __typename: 'ShipToUnsupportedError', code: ErrorCode, message: string }
    | { __typename: 'ShipToWithPickupError', code: ErrorCode, message: string }
    | { __typename: 'SkuNotFoundError', code: ErrorCode, message: string, sku: string, nearest: Array<{ sku: string, title: string }> }
   | null };

type CheckoutFailure_AmountChangedError_Fragment = { approved: { amount: string, currency: string }, expected: { amount: string, currency: string } | null };

type CheckoutFailure_ShipToInvalidError_Fragment = { detail: string };

type CheckoutFailure_SkuNotFoundError_Fragment = { sku: string, nearest: Array<{ sku: string, title: string }> };

export type CheckoutFailureFragment =
  | CheckoutFailure_AmountChangedError_Fragment
  | CheckoutFailure_ShipToInvalidError_Fragment
  | CheckoutFailure_SkuNotFoundError_Fragment
;

export type OrderSummaryFragment = { orderId: string, kind: CheckoutOrderKind, status: CheckoutOrderStatus, isTerminal: boolean, createdAt: string, completedAt: string | null, merchant: { name: string, domain: string } | null, amount: { amount: string, currency: string } | null, amountCharged: { amount: string, currency: string } | null };

export type ListOrdersQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
}>;


export type ListOrdersQuery = { viewer: { orders: { edges: Array<{ cursor: string, node: { orderId: string, kind: CheckoutOrderKind, status: CheckoutOrderStatus, isTerminal: boolean, createdAt: string, completedAt: string | null, merchant: { name: string, domain: string } | null, amount: { amount: string, currency: string } | null, amountCharged: { amount: string, currency: string } | null } }>, pageInfo: { hasNextPage: boolean } } | null } | null };

export type GetOrderQueryVariables = Exact<{
  id: string | number;
}>;


export type GetOrderQuery = { checkoutOrder: { amountIsFinal: boolean, retryAction: RetryAction, errorCode: CheckoutOrderErrorCode | null, errorMessage: string | null, orderId: string, kind: CheckoutOrderKind, status: CheckoutOrderStatus, isTerminal: boolean, createdAt: string, completedAt: string | null, orderUrl: string, lines: Array<{ sku: string, title: string, quantity: number }>, shipTo: { recipient: string, city: string, countryCode: string } | null, approval: { approvalId: string, status: ApprovalStatus, approvalUrl: string, expiresAt: string } | null, evidence: { available: boolean, merchantOrderNumber: string | null }, merchant: { name: string, domain: string } | null, amount: { amount: string, currency: string } | null, amountCharged: { amount: string, currency: string } | null, question:
      | { __typename: 'OrderQuestion', questionId: string, text: string, expiresAt: string | null }
      | { __typename: 'SecurityCodeQuestion', expiresAt: string | null }
      | { __typename: 'ThreeDSecureQuestion', expiresAt: string | null }
     | null } | null };

export type ListPaidToolsQueryVariables = Exact<{
  serverUrl: string;
}>;


export type ListPaidToolsQuery = { paidTools:
    | { __typename: 'ForbiddenError', code: ErrorCode, message: string }
    | { __typename: 'InvalidRequestError', field: string | null, code: ErrorCode, message: string }
    | { __typename: 'NotFoundError', code: ErrorCode, message: string }
    | { __typename: 'PaidToolsSuccess', tools: Array<{ name: string, summary: string | null, inputSchema: unknown, isPaymentStated: boolean, statedPriceUsd: string | null }> }
    | { __typename: 'RateLimitedError', retryAfterMs: number, code: ErrorCode, message: string }
    | { __typename: 'TargetResponseInvalidError', paidTransactionId: string | null, code: ErrorCode, message: string }
    | { __typename: 'TargetTimeoutError', paidTransactionId: string | null, code: ErrorCode, message: string }
    | { __typename: 'TargetUnreachableError', paidTransactionId: string | null, code: ErrorCode, message: string }
    | { __typename: 'ToolCallFailedError', paidTransactionId: string | null, code: ErrorCode, message: string }
    | { __typename: 'UrlNotAllowedError', field: string | null, code: ErrorCode, message: string }
   | null };

export type CallPaidToolMutationVariables = Exact<{
  input: CallPaidToolInput;
}>;


export type CallPaidToolMutation = { callPaidTool:
    | { __typename: 'CallPaidToolSuccess', content: Array<unknown>, structuredContent: unknown, isError: boolean, isSettlementReported: boolean, payment: { transactionId: string, amountPaidUsd: string, network: string, transaction: { status: TransactionStatus } } | null }
    | { __typename: 'ChainUnavailableError', code: ErrorCode, message: string }
    | { __typename: 'ForbiddenError', code: ErrorCode, message: string }
    | { __typename: 'IdempotencyInFlightError', code: ErrorCode, message: string }
    | { __typename: 'IdempotencyKeyReusedError', field: string | null, code: ErrorCode, message: string }
    | { __typename: 'InsufficientBalanceError', network: string, code: ErrorCode, message: string, remaining: { amount: string, symbol: string }, required: { amount: string, symbol: string } }
    | { __typename: 'InvalidRequestError', field: string | null, code: ErrorCode, message: string }
    | { __typename: 'MaxValueExceededError', code: ErrorCode, message: string, required: { amount: string, symbol: string } }
    | { __typename: 'NoAcceptableRequirementError', code: ErrorCode, message: string, considered: Array<{ refusal: OfferRefusal | null, explanation: string }> }
    | { __typename: 'NotFoundError', code: ErrorCode, message: string }
    | { __typename: 'PermitOutstandingError', code: ErrorCode, message: string }
    | { __typename: 'PurchaseTokenUsedError', code: ErrorCode, message: string }
    | { __typename: 'RateLimitedError', retryAfterMs: number, code: ErrorCode, message: string }
    | { __typename: 'SpendingLimitExceededError', period: LimitPeriod, limitUsd: string, remainingUsd: string, requiredUsd: string, code: ErrorCode, message: string }
    | { __typename: 'TargetResponseInvalidError', paidTransactionId: string | null, code: ErrorCode, message: string }
    | { __typename: 'TargetTimeoutError', paidTransactionId: string | null, code: ErrorCode, message: string }
    | { __typename: 'TargetUnreachableError', paidTransactionId: string | null, code: ErrorCode, message: string }
    | { __typename: 'ToolCallFailedError', paidTransactionId: string | null, code: ErrorCode, message: string }
    | { __typename: 'UnsupportedNetworkError', field: string | null, code: ErrorCode, message: string }
    | { __typename: 'UrlNotAllowedError', field: string | null, code: ErrorCode, message: string }
    | { __typename: 'X402NotEnabledError', code: ErrorCode, message: string }
   | null };

export type CheckPriceQueryVariables = Exact<{
  url: string;
  method: HttpMethod;
  body?: unknown;
}>;


export type CheckPriceQuery = { x402Requirements:
    | { __typename: 'ForbiddenError', code: ErrorCode, message: string }
    | { __typename: 'InvalidRequestError', field: string | null, code: ErrorCode, message: string }
    | { __typename: 'NotFoundError', code: ErrorCode, message: string }
    | { __typename: 'TargetResponseInvalidError', paidTransactionId: string | null, code: ErrorCode, message: string }
    | { __typename: 'TargetTimeoutError', paidTransactionId: string | null, code: ErrorCode, message: string }
    | { __typename: 'TargetUnreachableError', paidTransactionId: string | null, code: ErrorCode, message: string }
    | { __typename: 'UrlNotAllowedError', field: string | null, code: ErrorCode, message: string }
    | { __typename: 'X402RequirementsSuccess', free: boolean, status: number, chosen: { amountUsd: string | null, network: string | null, scheme: PaymentScheme | null, payTo: string | null, description: string | null, amount: { amount: string, atomic: string, symbol: string } | null } | null, offers: Array<{ refusal: OfferRefusal | null, explanation: string, amountUsd: string | null, network: string | null }> }
   | null };

export type FetchPaidUrlMutationVariables = Exact<{
  input: X402FetchInput;
}>;


export type FetchPaidUrlMutation = { x402Fetch:
    | { __typename: 'ChainUnavailableError', code: ErrorCode, message: string }
    | { __typename: 'ForbiddenError', code: ErrorCode, message: string }
    | { __typename: 'IdempotencyInFlightError', code: ErrorCode, message: string }
    | { __typename: 'IdempotencyKeyReusedError', field: string | null, code: ErrorCode, message: string }
    | { __typename: 'InsufficientBalanceError', network: string, code: ErrorCode, message: string, remaining: { amount: string, symbol: string }, required: { amount: string, symbol: string } }
    | { __typename: 'InvalidRequestError', field: string | null, code: ErrorCode, message: string }
    | { __typename: 'MaxValueExceededError', code: ErrorCode, message: string, required: { amount: string, symbol: string } }
    | { __typename: 'NoAcceptableRequirementError', code: ErrorCode, message: string, considered: Array<{ refusal: OfferRefusal | null, explanation: string }> }
    | { __typename: 'NotFoundError', code: ErrorCode, message: string }
    | { __typename: 'PermitOutstandingError', code: ErrorCode, message: string }
    | { __typename: 'PurchaseTokenUsedError', code: ErrorCode, message: string }
    | { __typename: 'RateLimitedError', retryAfterMs: number, code: ErrorCode, message: string }
    | { __typename: 'SpendingLimitExceededError', period: LimitPeriod, limitUsd: string, remainingUsd: string, requiredUsd: string, code: ErrorCode, message: string }
    | { __typename: 'TargetResponseInvalidError', paidTransactionId: string | null, code: ErrorCode, message: string }
    | { __typename: 'TargetTimeoutError', paidTransactionId: string | null, code: ErrorCode, message: string }
    | { __typename: 'TargetUnreachableError', paidTransactionId: string | null, code: ErrorCode, message: string }
    | { __typename: 'UnsupportedNetworkError', field: string | null, code: ErrorCode, message: string }
    | { __typename: 'UrlNotAllowedError', field: string | null, code: ErrorCode, message: string }
    | { __typename: 'X402FetchSuccess', status: number, url: string, payment: { transactionId: string, amountPaidUsd: string, network: string } | null }
    | { __typename: 'X402NotEnabledError', code: ErrorCode, message: string }
   | null };

export type ProductMerchantFragment = { merchantId: string, name: string, domain: string, url: string, isOnboarded: boolean, isTest: boolean, supportsShipTo: boolean, supportsPickup: boolean };

export type SearchProductsQueryVariables = Exact<{
  q: string;
  country: string;
  limit?: number | null | undefined;
  merchantId?: string | number | null | undefined;
}>;


export type SearchProductsQuery = { productSearch:
    | { __typename: 'CatalogUnavailableError', code: ErrorCode, message: string }
    | { __typename: 'ForbiddenError', code: ErrorCode, message: string }
    | { __typename: 'InvalidRequestError', field: string | null, code: ErrorCode, message: string }
    | { __typename: 'MissingQueryError', code: ErrorCode, message: string }
    | { __typename: 'NotFoundError', code: ErrorCode, message: string }
    | { __typename: 'ProductSearchSuccess', priceNote: string, products: Array<{ sku: string, title: string, variantTitle: string | null, available: boolean, productUrl: string, price: { amount: string, currency: string }, merchant: { merchantId: string, name: string, domain: string, url: string, isOnboarded: boolean, isTest: boolean, supportsShipTo: boolean, supportsPickup: boolean } }> }
    | { __typename: 'UnsupportedCountryError', code: ErrorCode, message: string }
   | null };

export type GetProductQueryVariables = Exact<{
  url: string;
}>;


export type GetProductQuery = { productLookup:
    | { __typename: 'CatalogUnavailableError', code: ErrorCode, message: string }
    | { __typename: 'ForbiddenError', code: ErrorCode, message: string }
    | { __typename: 'InvalidRequestError', field: string | null, code: ErrorCode, message: string }
    | { __typename: 'MissingUrlError', code: ErrorCode, message: string }
    | { __typename: 'NotAProductUrlError', code: ErrorCode, message: string }
    | { __typename: 'NotFoundError', code: ErrorCode, message: string }
    | { __typename: 'NotShopifyError', code: ErrorCode, message: string }
    | { __typename: 'ProductLookupSuccess', sku: string, title: string, variantTitle: string | null, variantNote: string | null, priceNote: string, available: boolean, productUrl: string, shopName: string, shopUrl: string, price: { amount: string, currency: string }, merchant: { merchantId: string, name: string, domain: string, url: string, isOnboarded: boolean, isTest: boolean, supportsShipTo: boolean, supportsPickup: boolean } | null }
    | { __typename: 'UrlNotAllowedError', field: string | null, code: ErrorCode, message: string }
    | { __typename: 'VariantNotFoundError', code: ErrorCode, message: string }
   | null };

export type ExploreMerchantMutationVariables = Exact<{
  input: ExploreShopInput;
}>;


export type ExploreMerchantMutation = { exploreShop:
    | { __typename: 'CatalogUnavailableError', code: ErrorCode, message: string }
    | { __typename: 'ExploreShopSuccess', order: { orderId: string, status: CheckoutOrderStatus, orderUrl: string } }
    | { __typename: 'ForbiddenError', code: ErrorCode, message: string }
    | { __typename: 'InvalidRequestError', field: string | null, code: ErrorCode, message: string }
    | { __typename: 'NotFoundError', code: ErrorCode, message: string }
    | { __typename: 'RateLimitedError', retryAfterMs: number, code: ErrorCode, message: string }
    | { __typename: 'UrlNotAllowedError', field: string | null, code: ErrorCode, message: string }
   | null };

export type ListCardsQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
}>;


export type ListCardsQuery = { viewer: { cards: { edges: Array<{ cursor: string, node: { cardId: string, brand: string, last4: string, expMonth: number, expYear: number, nickname: string | null, billingCountry: string, isDefault: boolean, status: CardStatus } }>, pageInfo: { hasNextPage: boolean } } | null } | null };

export type GetRequestStatusQueryVariables = Exact<{
  id: string | number;
  isApproval: boolean;
  isQuestion: boolean;
  isOrder: boolean;
  isTrade: boolean;
  isTransaction: boolean;
}>;


export type GetRequestStatusQuery = { purchaseApproval?: { approvalId: string, status: ApprovalStatus, approvalUrl: string, expiresAt: string, reasonText: string, order: { orderId: string, status: CheckoutOrderStatus } } | null, orderQuestion?: { questionId: string, status: OrderQuestionStatus, expiresAt: string | null, text: string, order: { orderId: string, orderUrl: string } } | null, checkoutOrder?: { orderId: string, status: CheckoutOrderStatus, isTerminal: boolean, orderUrl: string, approval: { approvalId: string, status: ApprovalStatus, approvalUrl: string, expiresAt: string, reasonText: string } | null, question:
      | { __typename: 'OrderQuestion', questionId: string, text: string, expiresAt: string | null }
      | { __typename: 'SecurityCodeQuestion', expiresAt: string | null }
      | { __typename: 'ThreeDSecureQuestion', expiresAt: string | null }
     | null } | null, trade?: { tradeId: string, status: TradeStatus, failureReason: string | null, sold: { amount: string, symbol: string }, bought: { amount: string, symbol: string } | null } | null, transaction?: { transactionId: string, status: TransactionStatus } | null };

export type OrderNeedsFragment = { orderUrl: string, question:
    | { __typename: 'OrderQuestion', questionId: string, text: string, expiresAt: string | null }
    | { __typename: 'SecurityCodeQuestion', expiresAt: string | null }
    | { __typename: 'ThreeDSecureQuestion', expiresAt: string | null }
   | null };

export type ListTradeTokensQueryVariables = Exact<{ [key: string]: never; }>;


export type ListTradeTokensQuery = { tradeTokens:
    | { __typename: 'RateLimitedError', retryAfterMs: number, code: ErrorCode, message: string }
    | { __typename: 'TradeTokensSuccess', network: string, tokens: Array<{ symbol: string, name: string, address: string, isNative: boolean }> }
   | null };

export type QuoteTradeQueryVariables = Exact<{
  sellToken: string;
  buyToken: string;
  sellAmount?: string | null | undefined;
  buyAmount?: string | null | undefined;
  slippagePercentage?: number | null | undefined;
  network?: string | null | undefined;
}>;


export type QuoteTradeQuery = { tradeQuote:
    | { __typename: 'ChainUnavailableError', code: ErrorCode, message: string }
    | { __typename: 'DexUnavailableError', code: ErrorCode, message: string }
    | { __typename: 'ForbiddenError', code: ErrorCode, message: string }
    | { __typename: 'InsufficientBalanceError', network: string, code: ErrorCode, message: string, remaining: { amount: string, symbol: string }, required: { amount: string, symbol: string } }
    | { __typename: 'InvalidRequestError', field: string | null, code: ErrorCode, message: string }
    | { __typename: 'NotFoundError', code: ErrorCode, message: string }
    | { __typename: 'RateLimitedError', retryAfterMs: number, code: ErrorCode, message: string }
    | { __typename: 'TradeQuoteSuccess', price: string, priceImpactPercentage: number | null, sellTaxPercentage: number | null, buyTaxPercentage: number | null, warnings: Array<TradeQuoteWarning>, slippagePercentage: number, network: string, expiresAt: string, sold: { amount: string, symbol: string }, maxSold: { amount: string, symbol: string }, quoted: { amount: string, symbol: string }, minBought: { amount: string, symbol: string }, fees: Array<{ kind: TradeFeeKind, amount: { amount: string, symbol: string } | null }> }
    | { __typename: 'TradingNotConfiguredError', code: ErrorCode, message: string }
    | { __typename: 'UnsupportedNetworkError', field: string | null, code: ErrorCode, message: string }
    | { __typename: 'UnsupportedTokenError', field: string | null, code: ErrorCode, message: string }
   | null };

export type ExecuteTradeMutationVariables = Exact<{
  input: TradeInput;
}>;


export type ExecuteTradeMutation = { trade:
    | { __typename: 'ChainUnavailableError', code: ErrorCode, message: string }
    | { __typename: 'DexUnavailableError', code: ErrorCode, message: string }
    | { __typename: 'ForbiddenError', code: ErrorCode, message: string }
    | { __typename: 'IdempotencyInFlightError', code: ErrorCode, message: string }
    | { __typename: 'IdempotencyKeyReusedError', field: string | null, code: ErrorCode, message: string }
    | { __typename: 'InsufficientBalanceError', network: string, code: ErrorCode, message: string, remaining: { amount: string, symbol: string }, required: { amount: string, symbol: string } }
    | { __typename: 'InvalidRequestError', field: string | null, code: ErrorCode, message: string }
    | { __typename: 'NotFoundError', code: ErrorCode, message: string }
    | { __typename: 'RateLimitedError', retryAfterMs: number, code: ErrorCode, message: string }
    | { __typename: 'SpendingLimitExceededError', period: LimitPeriod, limitUsd: string, remainingUsd: string, requiredUsd: string, code: ErrorCode, message: string }
    | { __typename: 'TradeFailedError', code: ErrorCode, message: string }
    | { __typename: 'TradeSuccess', trade: { tradeId: string, status: TradeStatus, txHash: string | null, network: string, explorerUrl: string | null, sold: { amount: string, symbol: string }, requested: { amount: string, symbol: string }, bought: { amount: string, symbol: string } | null, minBought: { amount: string, symbol: string } } }
    | { __typename: 'TradingNotConfiguredError', code: ErrorCode, message: string }
    | { __typename: 'UnsupportedNetworkError', field: string | null, code: ErrorCode, message: string }
    | { __typename: 'UnsupportedTokenError', field: string | null, code: ErrorCode, message: string }
   | null };

export type ToolTokenAmountFragment = { amount: string, symbol: string };

export type GetWalletQueryVariables = Exact<{
  network?: string | null | undefined;
}>;


export type GetWalletQuery = { viewer: { wallet: { balance: { network: string, address: string, creditUsd: string, usdc: { amount: string } | null, native: { amount: string, symbol: string } | null } | null }, effectiveLimits: { perTransactionLimitUsd: string | null, dayLimitUsd: string | null, dayRemainingUsd: string | null, monthLimitUsd: string | null, monthRemainingUsd: string | null }, cardBudget: { currency: string, perOrderLimit: { amount: string } | null, dailyLimit: { amount: string } | null, dayUsed: { amount: string }, monthlyLimit: { amount: string } | null, monthUsed: { amount: string } } | null } | null };

export type ListTransactionsQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  filter: TransactionFilter;
}>;


export type ListTransactionsQuery = { viewer: { transactions: { edges: Array<{ cursor: string, node: { transactionId: string, type: TransactionType, status: TransactionStatus, direction: TransactionDirection, amountUsd: string, network: string | null, resource: string | null, txHash: string | null, createdAt: string, settledAt: string | null, amount: { amount: string, symbol: string } } }>, pageInfo: { hasNextPage: boolean } } | null } | null };

export type GetTransactionQueryVariables = Exact<{
  id: string | number;
}>;


export type GetTransactionQuery = { transaction: { payTo: string | null, scheme: PaymentScheme | null, signedAt: string | null, paidFromCredit: boolean, feeUsd: string, explorerUrl: string | null, failureReason: string | null, description: string | null, transactionId: string, type: TransactionType, status: TransactionStatus, direction: TransactionDirection, amountUsd: string, network: string | null, resource: string | null, txHash: string | null, createdAt: string, settledAt: string | null, amount: { amount: string, symbol: string } } | null };

export type TransactionFieldsFragment = { transactionId: string, type: TransactionType, status: TransactionStatus, direction: TransactionDirection, amountUsd: string, network: string | null, resource: string | null, txHash: string | null, createdAt: string, settledAt: string | null, amount: { amount: string, symbol: string } };

export const EmailSummaryFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"EmailSummary"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MailMessage"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messageId"}},{"kind":"Field","name":{"kind":"Name","value":"direction"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"fromName"}},{"kind":"Field","name":{"kind":"Name","value":"to"}},{"kind":"Field","name":{"kind":"Name","value":"subject"}},{"kind":"Field","name":{"kind":"Name","value":"preview"}},{"kind":"Field","name":{"kind":"Name","value":"isRead"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"attachments"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"attachmentId"}}]}}]}}]} as unknown as DocumentNode<EmailSummaryFragment, unknown>;
export const SentEmailFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"SentEmailFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MailMessage"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messageId"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"to"}},{"kind":"Field","name":{"kind":"Name","value":"cc"}},{"kind":"Field","name":{"kind":"Name","value":"subject"}}]}}]} as unknown as DocumentNode<SentEmailFieldsFragment, unknown>;
export const ToolFailureFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ToolFailure"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Error"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidRequestError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UrlNotAllowedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UnsupportedNetworkError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"IdempotencyKeyReusedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UnsupportedTokenError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ModelNotFoundError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterMs"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TargetUnreachableError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TargetTimeoutError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TargetResponseInvalidError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ToolCallFailedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProviderFailedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProviderRefusedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}},{"kind":"Field","name":{"kind":"Name","value":"providerStatus"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SpendingLimitExceededError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"period"}},{"kind":"Field","name":{"kind":"Name","value":"limitUsd"}},{"kind":"Field","name":{"kind":"Name","value":"remainingUsd"}},{"kind":"Field","name":{"kind":"Name","value":"requiredUsd"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InsufficientBalanceError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"network"}},{"kind":"Field","name":{"kind":"Name","value":"remaining"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}},{"kind":"Field","name":{"kind":"Name","value":"required"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MaxValueExceededError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"required"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NoAcceptableRequirementError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"considered"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"refusal"}},{"kind":"Field","name":{"kind":"Name","value":"explanation"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MailNotSentError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"isQueued"}},{"kind":"Field","name":{"kind":"Name","value":"mailMessage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messageId"}}]}}]}}]}}]} as unknown as DocumentNode<ToolFailureFragment, unknown>;
export const CredentialSummaryFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CredentialSummary"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AgentCredential"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"disclosableClaims"}}]}}]} as unknown as DocumentNode<CredentialSummaryFragment, unknown>;
export const CheckoutFailureFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CheckoutFailure"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Error"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AmountChangedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"approved"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}}]}},{"kind":"Field","name":{"kind":"Name","value":"expected"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SkuNotFoundError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sku"}},{"kind":"Field","name":{"kind":"Name","value":"nearest"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sku"}},{"kind":"Field","name":{"kind":"Name","value":"title"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ShipToInvalidError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"detail"}}]}}]}}]} as unknown as DocumentNode<CheckoutFailureFragment, unknown>;
export const OrderSummaryFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"OrderSummary"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CheckoutOrder"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"orderId"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"isTerminal"}},{"kind":"Field","name":{"kind":"Name","value":"merchant"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"domain"}}]}},{"kind":"Field","name":{"kind":"Name","value":"amount"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}}]}},{"kind":"Field","name":{"kind":"Name","value":"amountCharged"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}}]}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}}]}}]} as unknown as DocumentNode<OrderSummaryFragment, unknown>;
export const ProductMerchantFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ProductMerchant"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Merchant"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"merchantId"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"domain"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"isOnboarded"}},{"kind":"Field","name":{"kind":"Name","value":"isTest"}},{"kind":"Field","name":{"kind":"Name","value":"supportsShipTo"}},{"kind":"Field","name":{"kind":"Name","value":"supportsPickup"}}]}}]} as unknown as DocumentNode<ProductMerchantFragment, unknown>;
export const OrderNeedsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"OrderNeeds"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CheckoutOrder"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"orderUrl"}},{"kind":"Field","name":{"kind":"Name","value":"question"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OrderQuestion"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"questionId"}},{"kind":"Field","name":{"kind":"Name","value":"text"}}]}}]}}]}}]} as unknown as DocumentNode<OrderNeedsFragment, unknown>;
export const ToolTokenAmountFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ToolTokenAmount"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TokenAmount"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}}]} as unknown as DocumentNode<ToolTokenAmountFragment, unknown>;
export const TransactionFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TransactionFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Transaction"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"transactionId"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"direction"}},{"kind":"Field","name":{"kind":"Name","value":"amount"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}},{"kind":"Field","name":{"kind":"Name","value":"amountUsd"}},{"kind":"Field","name":{"kind":"Name","value":"network"}},{"kind":"Field","name":{"kind":"Name","value":"resource"}},{"kind":"Field","name":{"kind":"Name","value":"txHash"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"settledAt"}}]}}]} as unknown as DocumentNode<TransactionFieldsFragment, unknown>;
export const TransactionChangesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"TransactionChanges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"transactionUpdated"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"transaction"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"transactionId"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]}}]}}]} as unknown as DocumentNode<TransactionChangesSubscription, TransactionChangesSubscriptionVariables>;
export const OrderChangesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"OrderChanges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"orderUpdated"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"order"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"orderId"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]}}]}}]} as unknown as DocumentNode<OrderChangesSubscription, OrderChangesSubscriptionVariables>;
export const EmailChangesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"EmailChanges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"mailUpdated"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messageId"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]}}]}}]} as unknown as DocumentNode<EmailChangesSubscription, EmailChangesSubscriptionVariables>;
export const SignPaymentDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SignPayment"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SignPaymentInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"signPayment"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SignPaymentSuccess"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"transactionId"}},{"kind":"Field","name":{"kind":"Name","value":"headerName"}},{"kind":"Field","name":{"kind":"Name","value":"paymentHeader"}},{"kind":"Field","name":{"kind":"Name","value":"amountPaidUsd"}},{"kind":"Field","name":{"kind":"Name","value":"network"}},{"kind":"Field","name":{"kind":"Name","value":"scheme"}},{"kind":"Field","name":{"kind":"Name","value":"paidFromCredit"}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ToolFailure"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ToolFailure"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Error"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidRequestError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UrlNotAllowedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UnsupportedNetworkError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"IdempotencyKeyReusedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UnsupportedTokenError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ModelNotFoundError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterMs"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TargetUnreachableError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TargetTimeoutError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TargetResponseInvalidError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ToolCallFailedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProviderFailedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProviderRefusedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}},{"kind":"Field","name":{"kind":"Name","value":"providerStatus"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SpendingLimitExceededError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"period"}},{"kind":"Field","name":{"kind":"Name","value":"limitUsd"}},{"kind":"Field","name":{"kind":"Name","value":"remainingUsd"}},{"kind":"Field","name":{"kind":"Name","value":"requiredUsd"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InsufficientBalanceError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"network"}},{"kind":"Field","name":{"kind":"Name","value":"remaining"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}},{"kind":"Field","name":{"kind":"Name","value":"required"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MaxValueExceededError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"required"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NoAcceptableRequirementError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"considered"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"refusal"}},{"kind":"Field","name":{"kind":"Name","value":"explanation"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MailNotSentError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"isQueued"}},{"kind":"Field","name":{"kind":"Name","value":"mailMessage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messageId"}}]}}]}}]}}]} as unknown as DocumentNode<SignPaymentMutation, SignPaymentMutationVariables>;
export const ListModelsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ListModels"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"LanguageModelFilter"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"models"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"edges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cursor"}},{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"contextLength"}},{"kind":"Field","name":{"kind":"Name","value":"pricing"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"prompt"}},{"kind":"Field","name":{"kind":"Name","value":"completion"}},{"kind":"Field","name":{"kind":"Name","value":"request"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}}]}}]}}]}}]} as unknown as DocumentNode<ListModelsQuery, ListModelsQueryVariables>;
export const ChatDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"Chat"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CompleteChatInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"completeChat"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CompleteChatSuccess"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"costUsd"}},{"kind":"Field","name":{"kind":"Name","value":"call"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"callId"}}]}},{"kind":"Field","name":{"kind":"Name","value":"choices"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"finishReason"}},{"kind":"Field","name":{"kind":"Name","value":"message"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"content"}},{"kind":"Field","name":{"kind":"Name","value":"refusal"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"usage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"promptTokens"}},{"kind":"Field","name":{"kind":"Name","value":"completionTokens"}}]}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ToolFailure"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ToolFailure"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Error"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidRequestError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UrlNotAllowedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UnsupportedNetworkError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"IdempotencyKeyReusedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UnsupportedTokenError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ModelNotFoundError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterMs"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TargetUnreachableError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TargetTimeoutError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TargetResponseInvalidError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ToolCallFailedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProviderFailedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProviderRefusedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}},{"kind":"Field","name":{"kind":"Name","value":"providerStatus"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SpendingLimitExceededError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"period"}},{"kind":"Field","name":{"kind":"Name","value":"limitUsd"}},{"kind":"Field","name":{"kind":"Name","value":"remainingUsd"}},{"kind":"Field","name":{"kind":"Name","value":"requiredUsd"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InsufficientBalanceError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"network"}},{"kind":"Field","name":{"kind":"Name","value":"remaining"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}},{"kind":"Field","name":{"kind":"Name","value":"required"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MaxValueExceededError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"required"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NoAcceptableRequirementError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"considered"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"refusal"}},{"kind":"Field","name":{"kind":"Name","value":"explanation"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MailNotSentError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"isQueued"}},{"kind":"Field","name":{"kind":"Name","value":"mailMessage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messageId"}}]}}]}}]}}]} as unknown as DocumentNode<ChatMutation, ChatMutationVariables>;
export const ListEmailsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ListEmails"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"MailFilter"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"viewer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"mailbox"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"address"}},{"kind":"Field","name":{"kind":"Name","value":"unreadCount"}},{"kind":"Field","name":{"kind":"Name","value":"messages"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"edges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cursor"}},{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"EmailSummary"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}}]}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"EmailSummary"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MailMessage"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messageId"}},{"kind":"Field","name":{"kind":"Name","value":"direction"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"fromName"}},{"kind":"Field","name":{"kind":"Name","value":"to"}},{"kind":"Field","name":{"kind":"Name","value":"subject"}},{"kind":"Field","name":{"kind":"Name","value":"preview"}},{"kind":"Field","name":{"kind":"Name","value":"isRead"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"attachments"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"attachmentId"}}]}}]}}]} as unknown as DocumentNode<ListEmailsQuery, ListEmailsQueryVariables>;
export const GetEmailDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"GetEmail"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"mailMessage"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"EmailSummary"}},{"kind":"Field","name":{"kind":"Name","value":"cc"}},{"kind":"Field","name":{"kind":"Name","value":"bodyText"}},{"kind":"Field","name":{"kind":"Name","value":"hiddenText"}},{"kind":"Field","name":{"kind":"Name","value":"warnings"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"Field","name":{"kind":"Name","value":"calendarEvents"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"method"}},{"kind":"Field","name":{"kind":"Name","value":"uid"}},{"kind":"Field","name":{"kind":"Name","value":"sequence"}},{"kind":"Field","name":{"kind":"Name","value":"recurrenceId"}},{"kind":"Field","name":{"kind":"Name","value":"summary"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"location"}},{"kind":"Field","name":{"kind":"Name","value":"organizer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"address"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"attendees"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"address"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}},{"kind":"Field","name":{"kind":"Name","value":"startLocal"}},{"kind":"Field","name":{"kind":"Name","value":"endLocal"}},{"kind":"Field","name":{"kind":"Name","value":"startAt"}},{"kind":"Field","name":{"kind":"Name","value":"endAt"}},{"kind":"Field","name":{"kind":"Name","value":"timeZone"}},{"kind":"Field","name":{"kind":"Name","value":"isAllDay"}},{"kind":"Field","name":{"kind":"Name","value":"recurrenceRule"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}},{"kind":"Field","name":{"kind":"Name","value":"thread"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"threadId"}},{"kind":"Field","name":{"kind":"Name","value":"messageCount"}}]}},{"kind":"Field","name":{"kind":"Name","value":"authentication"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"verdict"}}]}},{"kind":"Field","name":{"kind":"Name","value":"automated"}},{"kind":"Field","name":{"kind":"Name","value":"failureReason"}},{"kind":"Field","name":{"kind":"Name","value":"attachments"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"attachmentId"}},{"kind":"Field","name":{"kind":"Name","value":"filename"}},{"kind":"Field","name":{"kind":"Name","value":"contentType"}},{"kind":"Field","name":{"kind":"Name","value":"sizeBytes"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"EmailSummary"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MailMessage"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messageId"}},{"kind":"Field","name":{"kind":"Name","value":"direction"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"fromName"}},{"kind":"Field","name":{"kind":"Name","value":"to"}},{"kind":"Field","name":{"kind":"Name","value":"subject"}},{"kind":"Field","name":{"kind":"Name","value":"preview"}},{"kind":"Field","name":{"kind":"Name","value":"isRead"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"attachments"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"attachmentId"}}]}}]}}]} as unknown as DocumentNode<GetEmailQuery, GetEmailQueryVariables>;
export const GetAttachmentDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"GetAttachment"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"offset"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"length"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"mailAttachment"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"attachmentId"}},{"kind":"Field","name":{"kind":"Name","value":"filename"}},{"kind":"Field","name":{"kind":"Name","value":"contentType"}},{"kind":"Field","name":{"kind":"Name","value":"sizeBytes"}},{"kind":"Field","name":{"kind":"Name","value":"sha256"}},{"kind":"Field","name":{"kind":"Name","value":"contentBase64"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"offset"},"value":{"kind":"Variable","name":{"kind":"Name","value":"offset"}}},{"kind":"Argument","name":{"kind":"Name","value":"length"},"value":{"kind":"Variable","name":{"kind":"Name","value":"length"}}}]}]}}]}}]} as unknown as DocumentNode<GetAttachmentQuery, GetAttachmentQueryVariables>;
export const SendEmailDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SendEmail"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SendMailInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sendMail"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SendMailSuccess"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"mailMessage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"SentEmailFields"}}]}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ToolFailure"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"SentEmailFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MailMessage"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messageId"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"to"}},{"kind":"Field","name":{"kind":"Name","value":"cc"}},{"kind":"Field","name":{"kind":"Name","value":"subject"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ToolFailure"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Error"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidRequestError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UrlNotAllowedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UnsupportedNetworkError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"IdempotencyKeyReusedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UnsupportedTokenError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ModelNotFoundError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterMs"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TargetUnreachableError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TargetTimeoutError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TargetResponseInvalidError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ToolCallFailedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProviderFailedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProviderRefusedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}},{"kind":"Field","name":{"kind":"Name","value":"providerStatus"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SpendingLimitExceededError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"period"}},{"kind":"Field","name":{"kind":"Name","value":"limitUsd"}},{"kind":"Field","name":{"kind":"Name","value":"remainingUsd"}},{"kind":"Field","name":{"kind":"Name","value":"requiredUsd"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InsufficientBalanceError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"network"}},{"kind":"Field","name":{"kind":"Name","value":"remaining"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}},{"kind":"Field","name":{"kind":"Name","value":"required"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MaxValueExceededError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"required"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NoAcceptableRequirementError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"considered"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"refusal"}},{"kind":"Field","name":{"kind":"Name","value":"explanation"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MailNotSentError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"isQueued"}},{"kind":"Field","name":{"kind":"Name","value":"mailMessage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messageId"}}]}}]}}]}}]} as unknown as DocumentNode<SendEmailMutation, SendEmailMutationVariables>;
export const ReplyToEmailDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ReplyToEmail"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ReplyToMailInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"replyToMail"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ReplyToMailSuccess"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"mailMessage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"SentEmailFields"}}]}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ToolFailure"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"SentEmailFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MailMessage"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messageId"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"to"}},{"kind":"Field","name":{"kind":"Name","value":"cc"}},{"kind":"Field","name":{"kind":"Name","value":"subject"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ToolFailure"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Error"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidRequestError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UrlNotAllowedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UnsupportedNetworkError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"IdempotencyKeyReusedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UnsupportedTokenError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ModelNotFoundError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterMs"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TargetUnreachableError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TargetTimeoutError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TargetResponseInvalidError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ToolCallFailedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProviderFailedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProviderRefusedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}},{"kind":"Field","name":{"kind":"Name","value":"providerStatus"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SpendingLimitExceededError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"period"}},{"kind":"Field","name":{"kind":"Name","value":"limitUsd"}},{"kind":"Field","name":{"kind":"Name","value":"remainingUsd"}},{"kind":"Field","name":{"kind":"Name","value":"requiredUsd"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InsufficientBalanceError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"network"}},{"kind":"Field","name":{"kind":"Name","value":"remaining"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}},{"kind":"Field","name":{"kind":"Name","value":"required"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MaxValueExceededError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"required"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NoAcceptableRequirementError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"considered"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"refusal"}},{"kind":"Field","name":{"kind":"Name","value":"explanation"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MailNotSentError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"isQueued"}},{"kind":"Field","name":{"kind":"Name","value":"mailMessage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messageId"}}]}}]}}]}}]} as unknown as DocumentNode<ReplyToEmailMutation, ReplyToEmailMutationVariables>;
export const GetIdentityDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"GetIdentity"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"viewer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"agent"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"agentId"}},{"kind":"Field","name":{"kind":"Name","value":"network"}},{"kind":"Field","name":{"kind":"Name","value":"registry"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"walletAddress"}},{"kind":"Field","name":{"kind":"Name","value":"email"}},{"kind":"Field","name":{"kind":"Name","value":"trustScore"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"score"}}]}},{"kind":"Field","name":{"kind":"Name","value":"trustCredential"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"CredentialSummary"}}]}},{"kind":"Field","name":{"kind":"Name","value":"delegationCredential"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"CredentialSummary"}}]}},{"kind":"Field","name":{"kind":"Name","value":"registrationUrl"}},{"kind":"Field","name":{"kind":"Name","value":"explorerUrl"}}]}},{"kind":"Field","name":{"kind":"Name","value":"agentRegistration"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"notices"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CredentialSummary"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AgentCredential"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"disclosableClaims"}}]}}]} as unknown as DocumentNode<GetIdentityQuery, GetIdentityQueryVariables>;
export const PresentCredentialDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"PresentCredential"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"PresentAgentCredentialInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"presentAgentCredential"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PresentAgentCredentialSuccess"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"presentation"}},{"kind":"Field","name":{"kind":"Name","value":"disclosed"}},{"kind":"Field","name":{"kind":"Name","value":"credential"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}}]}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ToolFailure"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ToolFailure"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Error"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidRequestError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UrlNotAllowedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UnsupportedNetworkError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"IdempotencyKeyReusedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UnsupportedTokenError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ModelNotFoundError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterMs"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TargetUnreachableError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TargetTimeoutError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TargetResponseInvalidError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ToolCallFailedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProviderFailedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProviderRefusedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}},{"kind":"Field","name":{"kind":"Name","value":"providerStatus"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SpendingLimitExceededError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"period"}},{"kind":"Field","name":{"kind":"Name","value":"limitUsd"}},{"kind":"Field","name":{"kind":"Name","value":"remainingUsd"}},{"kind":"Field","name":{"kind":"Name","value":"requiredUsd"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InsufficientBalanceError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"network"}},{"kind":"Field","name":{"kind":"Name","value":"remaining"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}},{"kind":"Field","name":{"kind":"Name","value":"required"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MaxValueExceededError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"required"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NoAcceptableRequirementError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"considered"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"refusal"}},{"kind":"Field","name":{"kind":"Name","value":"explanation"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MailNotSentError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"isQueued"}},{"kind":"Field","name":{"kind":"Name","value":"mailMessage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messageId"}}]}}]}}]}}]} as unknown as DocumentNode<PresentCredentialMutation, PresentCredentialMutationVariables>;
export const QuoteCartDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"QuoteCart"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CartQuoteInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cartQuote"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CartQuoteSuccess"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"currency"}},{"kind":"Field","name":{"kind":"Name","value":"lines"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sku"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"variantTitle"}},{"kind":"Field","name":{"kind":"Name","value":"quantity"}},{"kind":"Field","name":{"kind":"Name","value":"total"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}}]}},{"kind":"Field","name":{"kind":"Name","value":"available"}}]}},{"kind":"Field","name":{"kind":"Name","value":"subtotal"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}}]}},{"kind":"Field","name":{"kind":"Name","value":"fulfillmentOptions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"optionId"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"amount"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}}]}},{"kind":"Field","name":{"kind":"Name","value":"location"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pickupLocationId"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"address"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"requiresFulfillmentChoice"}},{"kind":"Field","name":{"kind":"Name","value":"selectedOptionId"}},{"kind":"Field","name":{"kind":"Name","value":"expectedAmount"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"amountMinor"}}]}},{"kind":"Field","name":{"kind":"Name","value":"amountIsFinal"}},{"kind":"Field","name":{"kind":"Name","value":"shipTo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"recipient"}},{"kind":"Field","name":{"kind":"Name","value":"city"}},{"kind":"Field","name":{"kind":"Name","value":"countryCode"}}]}},{"kind":"Field","name":{"kind":"Name","value":"unfulfillable"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"skus"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pickupResolution"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"candidates"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pickupLocationId"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"address"}}]}}]}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ToolFailure"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"CheckoutFailure"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ToolFailure"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Error"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidRequestError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UrlNotAllowedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UnsupportedNetworkError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"IdempotencyKeyReusedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UnsupportedTokenError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ModelNotFoundError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterMs"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TargetUnreachableError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TargetTimeoutError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TargetResponseInvalidError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ToolCallFailedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProviderFailedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProviderRefusedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}},{"kind":"Field","name":{"kind":"Name","value":"providerStatus"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SpendingLimitExceededError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"period"}},{"kind":"Field","name":{"kind":"Name","value":"limitUsd"}},{"kind":"Field","name":{"kind":"Name","value":"remainingUsd"}},{"kind":"Field","name":{"kind":"Name","value":"requiredUsd"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InsufficientBalanceError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"network"}},{"kind":"Field","name":{"kind":"Name","value":"remaining"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}},{"kind":"Field","name":{"kind":"Name","value":"required"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MaxValueExceededError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"required"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NoAcceptableRequirementError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"considered"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"refusal"}},{"kind":"Field","name":{"kind":"Name","value":"explanation"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MailNotSentError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"isQueued"}},{"kind":"Field","name":{"kind":"Name","value":"mailMessage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messageId"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CheckoutFailure"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Error"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AmountChangedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"approved"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}}]}},{"kind":"Field","name":{"kind":"Name","value":"expected"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SkuNotFoundError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sku"}},{"kind":"Field","name":{"kind":"Name","value":"nearest"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sku"}},{"kind":"Field","name":{"kind":"Name","value":"title"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ShipToInvalidError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"detail"}}]}}]}}]} as unknown as DocumentNode<QuoteCartQuery, QuoteCartQueryVariables>;
export const PlaceOrderDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"PlaceOrder"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DispatchOrderInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"dispatchOrder"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"DispatchOrderSuccess"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"order"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"orderId"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"isTerminal"}},{"kind":"Field","name":{"kind":"Name","value":"errorCode"}},{"kind":"Field","name":{"kind":"Name","value":"errorMessage"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"OrderNeeds"}}]}},{"kind":"Field","name":{"kind":"Name","value":"requiredApproval"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"approvalToken"}},{"kind":"Field","name":{"kind":"Name","value":"approvalUrl"}},{"kind":"Field","name":{"kind":"Name","value":"expiresInSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"reasonText"}},{"kind":"Field","name":{"kind":"Name","value":"approval"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"approvalId"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}}]}}]}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ToolFailure"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"CheckoutFailure"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"OrderNeeds"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CheckoutOrder"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"orderUrl"}},{"kind":"Field","name":{"kind":"Name","value":"question"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OrderQuestion"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"questionId"}},{"kind":"Field","name":{"kind":"Name","value":"text"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ToolFailure"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Error"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidRequestError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UrlNotAllowedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UnsupportedNetworkError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"IdempotencyKeyReusedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UnsupportedTokenError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ModelNotFoundError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterMs"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TargetUnreachableError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TargetTimeoutError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TargetResponseInvalidError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ToolCallFailedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProviderFailedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProviderRefusedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}},{"kind":"Field","name":{"kind":"Name","value":"providerStatus"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SpendingLimitExceededError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"period"}},{"kind":"Field","name":{"kind":"Name","value":"limitUsd"}},{"kind":"Field","name":{"kind":"Name","value":"remainingUsd"}},{"kind":"Field","name":{"kind":"Name","value":"requiredUsd"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InsufficientBalanceError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"network"}},{"kind":"Field","name":{"kind":"Name","value":"remaining"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}},{"kind":"Field","name":{"kind":"Name","value":"required"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MaxValueExceededError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"required"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NoAcceptableRequirementError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"considered"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"refusal"}},{"kind":"Field","name":{"kind":"Name","value":"explanation"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MailNotSentError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"isQueued"}},{"kind":"Field","name":{"kind":"Name","value":"mailMessage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messageId"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CheckoutFailure"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Error"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AmountChangedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"approved"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}}]}},{"kind":"Field","name":{"kind":"Name","value":"expected"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SkuNotFoundError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sku"}},{"kind":"Field","name":{"kind":"Name","value":"nearest"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sku"}},{"kind":"Field","name":{"kind":"Name","value":"title"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ShipToInvalidError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"detail"}}]}}]}}]} as unknown as DocumentNode<PlaceOrderMutation, PlaceOrderMutationVariables>;
export const ListOrdersDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ListOrders"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"viewer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"orders"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"edges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cursor"}},{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"OrderSummary"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"OrderSummary"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CheckoutOrder"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"orderId"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"isTerminal"}},{"kind":"Field","name":{"kind":"Name","value":"merchant"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"domain"}}]}},{"kind":"Field","name":{"kind":"Name","value":"amount"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}}]}},{"kind":"Field","name":{"kind":"Name","value":"amountCharged"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}}]}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}}]}}]} as unknown as DocumentNode<ListOrdersQuery, ListOrdersQueryVariables>;
export const GetOrderDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"GetOrder"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"checkoutOrder"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"OrderSummary"}},{"kind":"Field","name":{"kind":"Name","value":"amountIsFinal"}},{"kind":"Field","name":{"kind":"Name","value":"retryAction"}},{"kind":"Field","name":{"kind":"Name","value":"errorCode"}},{"kind":"Field","name":{"kind":"Name","value":"errorMessage"}},{"kind":"Field","name":{"kind":"Name","value":"lines"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sku"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"quantity"}}]}},{"kind":"Field","name":{"kind":"Name","value":"shipTo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"recipient"}},{"kind":"Field","name":{"kind":"Name","value":"city"}},{"kind":"Field","name":{"kind":"Name","value":"countryCode"}}]}},{"kind":"Field","name":{"kind":"Name","value":"approval"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"approvalId"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"approvalUrl"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"OrderNeeds"}},{"kind":"Field","name":{"kind":"Name","value":"evidence"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"available"}},{"kind":"Field","name":{"kind":"Name","value":"merchantOrderNumber"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"OrderSummary"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CheckoutOrder"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"orderId"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"isTerminal"}},{"kind":"Field","name":{"kind":"Name","value":"merchant"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"domain"}}]}},{"kind":"Field","name":{"kind":"Name","value":"amount"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}}]}},{"kind":"Field","name":{"kind":"Name","value":"amountCharged"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}}]}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"OrderNeeds"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CheckoutOrder"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"orderUrl"}},{"kind":"Field","name":{"kind":"Name","value":"question"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OrderQuestion"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"questionId"}},{"kind":"Field","name":{"kind":"Name","value":"text"}}]}}]}}]}}]} as unknown as DocumentNode<GetOrderQuery, GetOrderQueryVariables>;
export const ListPaidToolsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ListPaidTools"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"serverUrl"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Url"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTools"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"serverUrl"},"value":{"kind":"Variable","name":{"kind":"Name","value":"serverUrl"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PaidToolsSuccess"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tools"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"summary"}},{"kind":"Field","name":{"kind":"Name","value":"inputSchema"}},{"kind":"Field","name":{"kind":"Name","value":"isPaymentStated"}},{"kind":"Field","name":{"kind":"Name","value":"statedPriceUsd"}}]}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ToolFailure"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ToolFailure"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Error"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidRequestError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UrlNotAllowedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UnsupportedNetworkError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"IdempotencyKeyReusedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UnsupportedTokenError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ModelNotFoundError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterMs"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TargetUnreachableError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TargetTimeoutError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TargetResponseInvalidError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ToolCallFailedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProviderFailedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProviderRefusedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}},{"kind":"Field","name":{"kind":"Name","value":"providerStatus"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SpendingLimitExceededError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"period"}},{"kind":"Field","name":{"kind":"Name","value":"limitUsd"}},{"kind":"Field","name":{"kind":"Name","value":"remainingUsd"}},{"kind":"Field","name":{"kind":"Name","value":"requiredUsd"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InsufficientBalanceError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"network"}},{"kind":"Field","name":{"kind":"Name","value":"remaining"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}},{"kind":"Field","name":{"kind":"Name","value":"required"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MaxValueExceededError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"required"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NoAcceptableRequirementError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"considered"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"refusal"}},{"kind":"Field","name":{"kind":"Name","value":"explanation"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MailNotSentError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"isQueued"}},{"kind":"Field","name":{"kind":"Name","value":"mailMessage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messageId"}}]}}]}}]}}]} as unknown as DocumentNode<ListPaidToolsQuery, ListPaidToolsQueryVariables>;
export const CallPaidToolDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CallPaidTool"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CallPaidToolInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"callPaidTool"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CallPaidToolSuccess"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"content"}},{"kind":"Field","name":{"kind":"Name","value":"structuredContent"}},{"kind":"Field","name":{"kind":"Name","value":"isError"}},{"kind":"Field","name":{"kind":"Name","value":"isSettlementReported"}},{"kind":"Field","name":{"kind":"Name","value":"payment"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"transactionId"}},{"kind":"Field","name":{"kind":"Name","value":"amountPaidUsd"}},{"kind":"Field","name":{"kind":"Name","value":"network"}},{"kind":"Field","name":{"kind":"Name","value":"transaction"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ToolFailure"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ToolFailure"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Error"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidRequestError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UrlNotAllowedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UnsupportedNetworkError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"IdempotencyKeyReusedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UnsupportedTokenError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ModelNotFoundError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterMs"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TargetUnreachableError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TargetTimeoutError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TargetResponseInvalidError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ToolCallFailedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProviderFailedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProviderRefusedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}},{"kind":"Field","name":{"kind":"Name","value":"providerStatus"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SpendingLimitExceededError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"period"}},{"kind":"Field","name":{"kind":"Name","value":"limitUsd"}},{"kind":"Field","name":{"kind":"Name","value":"remainingUsd"}},{"kind":"Field","name":{"kind":"Name","value":"requiredUsd"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InsufficientBalanceError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"network"}},{"kind":"Field","name":{"kind":"Name","value":"remaining"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}},{"kind":"Field","name":{"kind":"Name","value":"required"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MaxValueExceededError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"required"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NoAcceptableRequirementError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"considered"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"refusal"}},{"kind":"Field","name":{"kind":"Name","value":"explanation"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MailNotSentError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"isQueued"}},{"kind":"Field","name":{"kind":"Name","value":"mailMessage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messageId"}}]}}]}}]}}]} as unknown as DocumentNode<CallPaidToolMutation, CallPaidToolMutationVariables>;
export const CheckPriceDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"CheckPrice"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"url"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Url"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"method"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"HttpMethod"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"body"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"JSON"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"x402Requirements"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"url"},"value":{"kind":"Variable","name":{"kind":"Name","value":"url"}}},{"kind":"Argument","name":{"kind":"Name","value":"method"},"value":{"kind":"Variable","name":{"kind":"Name","value":"method"}}},{"kind":"Argument","name":{"kind":"Name","value":"body"},"value":{"kind":"Variable","name":{"kind":"Name","value":"body"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"X402RequirementsSuccess"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"free"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"chosen"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"atomic"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}},{"kind":"Field","name":{"kind":"Name","value":"amountUsd"}},{"kind":"Field","name":{"kind":"Name","value":"network"}},{"kind":"Field","name":{"kind":"Name","value":"scheme"}},{"kind":"Field","name":{"kind":"Name","value":"payTo"}},{"kind":"Field","name":{"kind":"Name","value":"description"}}]}},{"kind":"Field","name":{"kind":"Name","value":"offers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"refusal"}},{"kind":"Field","name":{"kind":"Name","value":"explanation"}},{"kind":"Field","name":{"kind":"Name","value":"amountUsd"}},{"kind":"Field","name":{"kind":"Name","value":"network"}}]}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ToolFailure"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ToolFailure"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Error"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidRequestError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UrlNotAllowedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UnsupportedNetworkError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"IdempotencyKeyReusedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UnsupportedTokenError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ModelNotFoundError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterMs"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TargetUnreachableError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TargetTimeoutError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TargetResponseInvalidError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ToolCallFailedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProviderFailedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProviderRefusedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}},{"kind":"Field","name":{"kind":"Name","value":"providerStatus"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SpendingLimitExceededError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"period"}},{"kind":"Field","name":{"kind":"Name","value":"limitUsd"}},{"kind":"Field","name":{"kind":"Name","value":"remainingUsd"}},{"kind":"Field","name":{"kind":"Name","value":"requiredUsd"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InsufficientBalanceError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"network"}},{"kind":"Field","name":{"kind":"Name","value":"remaining"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}},{"kind":"Field","name":{"kind":"Name","value":"required"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MaxValueExceededError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"required"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NoAcceptableRequirementError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"considered"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"refusal"}},{"kind":"Field","name":{"kind":"Name","value":"explanation"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MailNotSentError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"isQueued"}},{"kind":"Field","name":{"kind":"Name","value":"mailMessage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messageId"}}]}}]}}]}}]} as unknown as DocumentNode<CheckPriceQuery, CheckPriceQueryVariables>;
export const FetchPaidUrlDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"FetchPaidUrl"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"X402FetchInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"x402Fetch"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"X402FetchSuccess"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"payment"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"transactionId"}},{"kind":"Field","name":{"kind":"Name","value":"amountPaidUsd"}},{"kind":"Field","name":{"kind":"Name","value":"network"}}]}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ToolFailure"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ToolFailure"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Error"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidRequestError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UrlNotAllowedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UnsupportedNetworkError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"IdempotencyKeyReusedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UnsupportedTokenError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ModelNotFoundError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterMs"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TargetUnreachableError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TargetTimeoutError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TargetResponseInvalidError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ToolCallFailedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProviderFailedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProviderRefusedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}},{"kind":"Field","name":{"kind":"Name","value":"providerStatus"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SpendingLimitExceededError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"period"}},{"kind":"Field","name":{"kind":"Name","value":"limitUsd"}},{"kind":"Field","name":{"kind":"Name","value":"remainingUsd"}},{"kind":"Field","name":{"kind":"Name","value":"requiredUsd"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InsufficientBalanceError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"network"}},{"kind":"Field","name":{"kind":"Name","value":"remaining"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}},{"kind":"Field","name":{"kind":"Name","value":"required"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MaxValueExceededError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"required"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NoAcceptableRequirementError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"considered"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"refusal"}},{"kind":"Field","name":{"kind":"Name","value":"explanation"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MailNotSentError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"isQueued"}},{"kind":"Field","name":{"kind":"Name","value":"mailMessage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messageId"}}]}}]}}]}}]} as unknown as DocumentNode<FetchPaidUrlMutation, FetchPaidUrlMutationVariables>;
export const SearchProductsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"SearchProducts"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"q"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"country"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CountryCode"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"limit"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"merchantId"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"productSearch"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"q"},"value":{"kind":"Variable","name":{"kind":"Name","value":"q"}}},{"kind":"Argument","name":{"kind":"Name","value":"country"},"value":{"kind":"Variable","name":{"kind":"Name","value":"country"}}},{"kind":"Argument","name":{"kind":"Name","value":"limit"},"value":{"kind":"Variable","name":{"kind":"Name","value":"limit"}}},{"kind":"Argument","name":{"kind":"Name","value":"merchantId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"merchantId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProductSearchSuccess"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"priceNote"}},{"kind":"Field","name":{"kind":"Name","value":"products"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sku"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"variantTitle"}},{"kind":"Field","name":{"kind":"Name","value":"price"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}}]}},{"kind":"Field","name":{"kind":"Name","value":"available"}},{"kind":"Field","name":{"kind":"Name","value":"productUrl"}},{"kind":"Field","name":{"kind":"Name","value":"merchant"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ProductMerchant"}}]}}]}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ToolFailure"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ProductMerchant"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Merchant"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"merchantId"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"domain"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"isOnboarded"}},{"kind":"Field","name":{"kind":"Name","value":"isTest"}},{"kind":"Field","name":{"kind":"Name","value":"supportsShipTo"}},{"kind":"Field","name":{"kind":"Name","value":"supportsPickup"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ToolFailure"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Error"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidRequestError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UrlNotAllowedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UnsupportedNetworkError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"IdempotencyKeyReusedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UnsupportedTokenError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ModelNotFoundError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterMs"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TargetUnreachableError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TargetTimeoutError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TargetResponseInvalidError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ToolCallFailedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProviderFailedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProviderRefusedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}},{"kind":"Field","name":{"kind":"Name","value":"providerStatus"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SpendingLimitExceededError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"period"}},{"kind":"Field","name":{"kind":"Name","value":"limitUsd"}},{"kind":"Field","name":{"kind":"Name","value":"remainingUsd"}},{"kind":"Field","name":{"kind":"Name","value":"requiredUsd"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InsufficientBalanceError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"network"}},{"kind":"Field","name":{"kind":"Name","value":"remaining"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}},{"kind":"Field","name":{"kind":"Name","value":"required"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MaxValueExceededError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"required"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NoAcceptableRequirementError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"considered"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"refusal"}},{"kind":"Field","name":{"kind":"Name","value":"explanation"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MailNotSentError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"isQueued"}},{"kind":"Field","name":{"kind":"Name","value":"mailMessage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messageId"}}]}}]}}]}}]} as unknown as DocumentNode<SearchProductsQuery, SearchProductsQueryVariables>;
export const GetProductDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"GetProduct"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"url"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"productLookup"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"url"},"value":{"kind":"Variable","name":{"kind":"Name","value":"url"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProductLookupSuccess"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sku"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"variantTitle"}},{"kind":"Field","name":{"kind":"Name","value":"variantNote"}},{"kind":"Field","name":{"kind":"Name","value":"price"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}}]}},{"kind":"Field","name":{"kind":"Name","value":"priceNote"}},{"kind":"Field","name":{"kind":"Name","value":"available"}},{"kind":"Field","name":{"kind":"Name","value":"productUrl"}},{"kind":"Field","name":{"kind":"Name","value":"shopName"}},{"kind":"Field","name":{"kind":"Name","value":"shopUrl"}},{"kind":"Field","name":{"kind":"Name","value":"merchant"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ProductMerchant"}}]}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ToolFailure"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ProductMerchant"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Merchant"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"merchantId"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"domain"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"isOnboarded"}},{"kind":"Field","name":{"kind":"Name","value":"isTest"}},{"kind":"Field","name":{"kind":"Name","value":"supportsShipTo"}},{"kind":"Field","name":{"kind":"Name","value":"supportsPickup"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ToolFailure"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Error"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidRequestError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UrlNotAllowedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UnsupportedNetworkError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"IdempotencyKeyReusedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UnsupportedTokenError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ModelNotFoundError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterMs"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TargetUnreachableError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TargetTimeoutError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TargetResponseInvalidError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ToolCallFailedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProviderFailedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProviderRefusedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}},{"kind":"Field","name":{"kind":"Name","value":"providerStatus"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SpendingLimitExceededError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"period"}},{"kind":"Field","name":{"kind":"Name","value":"limitUsd"}},{"kind":"Field","name":{"kind":"Name","value":"remainingUsd"}},{"kind":"Field","name":{"kind":"Name","value":"requiredUsd"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InsufficientBalanceError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"network"}},{"kind":"Field","name":{"kind":"Name","value":"remaining"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}},{"kind":"Field","name":{"kind":"Name","value":"required"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MaxValueExceededError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"required"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NoAcceptableRequirementError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"considered"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"refusal"}},{"kind":"Field","name":{"kind":"Name","value":"explanation"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MailNotSentError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"isQueued"}},{"kind":"Field","name":{"kind":"Name","value":"mailMessage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messageId"}}]}}]}}]}}]} as unknown as DocumentNode<GetProductQuery, GetProductQueryVariables>;
export const ExploreMerchantDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ExploreMerchant"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ExploreShopInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"exploreShop"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ExploreShopSuccess"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"order"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"orderId"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"orderUrl"}}]}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ToolFailure"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ToolFailure"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Error"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidRequestError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UrlNotAllowedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UnsupportedNetworkError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"IdempotencyKeyReusedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UnsupportedTokenError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ModelNotFoundError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterMs"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TargetUnreachableError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TargetTimeoutError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TargetResponseInvalidError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ToolCallFailedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProviderFailedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProviderRefusedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}},{"kind":"Field","name":{"kind":"Name","value":"providerStatus"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SpendingLimitExceededError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"period"}},{"kind":"Field","name":{"kind":"Name","value":"limitUsd"}},{"kind":"Field","name":{"kind":"Name","value":"remainingUsd"}},{"kind":"Field","name":{"kind":"Name","value":"requiredUsd"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InsufficientBalanceError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"network"}},{"kind":"Field","name":{"kind":"Name","value":"remaining"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}},{"kind":"Field","name":{"kind":"Name","value":"required"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MaxValueExceededError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"required"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NoAcceptableRequirementError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"considered"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"refusal"}},{"kind":"Field","name":{"kind":"Name","value":"explanation"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MailNotSentError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"isQueued"}},{"kind":"Field","name":{"kind":"Name","value":"mailMessage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messageId"}}]}}]}}]}}]} as unknown as DocumentNode<ExploreMerchantMutation, ExploreMerchantMutationVariables>;
export const ListCardsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ListCards"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"viewer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cards"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"edges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cursor"}},{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cardId"}},{"kind":"Field","name":{"kind":"Name","value":"brand"}},{"kind":"Field","name":{"kind":"Name","value":"last4"}},{"kind":"Field","name":{"kind":"Name","value":"expMonth"}},{"kind":"Field","name":{"kind":"Name","value":"expYear"}},{"kind":"Field","name":{"kind":"Name","value":"nickname"}},{"kind":"Field","name":{"kind":"Name","value":"billingCountry"}},{"kind":"Field","name":{"kind":"Name","value":"isDefault"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}}]}}]}}]}}]}}]} as unknown as DocumentNode<ListCardsQuery, ListCardsQueryVariables>;
export const GetRequestStatusDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"GetRequestStatus"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"isApproval"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"isQuestion"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"isOrder"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"isTrade"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"isTransaction"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"purchaseApproval"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"isApproval"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"approvalId"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"approvalUrl"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"reasonText"}},{"kind":"Field","name":{"kind":"Name","value":"order"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"orderId"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"orderQuestion"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"isQuestion"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"questionId"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"order"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"orderId"}},{"kind":"Field","name":{"kind":"Name","value":"orderUrl"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"checkoutOrder"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"isOrder"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"orderId"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"isTerminal"}},{"kind":"Field","name":{"kind":"Name","value":"approval"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"approvalId"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"approvalUrl"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"reasonText"}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"OrderNeeds"}}]}},{"kind":"Field","name":{"kind":"Name","value":"trade"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"isTrade"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tradeId"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"sold"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ToolTokenAmount"}}]}},{"kind":"Field","name":{"kind":"Name","value":"bought"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ToolTokenAmount"}}]}},{"kind":"Field","name":{"kind":"Name","value":"failureReason"}}]}},{"kind":"Field","name":{"kind":"Name","value":"transaction"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"isTransaction"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"transactionId"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"OrderNeeds"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CheckoutOrder"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"orderUrl"}},{"kind":"Field","name":{"kind":"Name","value":"question"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OrderQuestion"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"questionId"}},{"kind":"Field","name":{"kind":"Name","value":"text"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ToolTokenAmount"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TokenAmount"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}}]} as unknown as DocumentNode<GetRequestStatusQuery, GetRequestStatusQueryVariables>;
export const ListTradeTokensDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ListTradeTokens"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tradeTokens"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TradeTokensSuccess"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"network"}},{"kind":"Field","name":{"kind":"Name","value":"tokens"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"symbol"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"address"}},{"kind":"Field","name":{"kind":"Name","value":"isNative"}}]}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ToolFailure"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ToolFailure"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Error"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidRequestError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UrlNotAllowedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UnsupportedNetworkError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"IdempotencyKeyReusedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UnsupportedTokenError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ModelNotFoundError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterMs"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TargetUnreachableError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TargetTimeoutError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TargetResponseInvalidError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ToolCallFailedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProviderFailedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProviderRefusedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}},{"kind":"Field","name":{"kind":"Name","value":"providerStatus"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SpendingLimitExceededError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"period"}},{"kind":"Field","name":{"kind":"Name","value":"limitUsd"}},{"kind":"Field","name":{"kind":"Name","value":"remainingUsd"}},{"kind":"Field","name":{"kind":"Name","value":"requiredUsd"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InsufficientBalanceError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"network"}},{"kind":"Field","name":{"kind":"Name","value":"remaining"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}},{"kind":"Field","name":{"kind":"Name","value":"required"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MaxValueExceededError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"required"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NoAcceptableRequirementError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"considered"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"refusal"}},{"kind":"Field","name":{"kind":"Name","value":"explanation"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MailNotSentError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"isQueued"}},{"kind":"Field","name":{"kind":"Name","value":"mailMessage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messageId"}}]}}]}}]}}]} as unknown as DocumentNode<ListTradeTokensQuery, ListTradeTokensQueryVariables>;
export const QuoteTradeDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"QuoteTrade"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"sellToken"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"buyToken"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"sellAmount"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Decimal"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"buyAmount"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Decimal"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"slippagePercentage"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Float"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"network"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"NetworkName"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tradeQuote"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"sellToken"},"value":{"kind":"Variable","name":{"kind":"Name","value":"sellToken"}}},{"kind":"Argument","name":{"kind":"Name","value":"buyToken"},"value":{"kind":"Variable","name":{"kind":"Name","value":"buyToken"}}},{"kind":"Argument","name":{"kind":"Name","value":"sellAmount"},"value":{"kind":"Variable","name":{"kind":"Name","value":"sellAmount"}}},{"kind":"Argument","name":{"kind":"Name","value":"buyAmount"},"value":{"kind":"Variable","name":{"kind":"Name","value":"buyAmount"}}},{"kind":"Argument","name":{"kind":"Name","value":"slippagePercentage"},"value":{"kind":"Variable","name":{"kind":"Name","value":"slippagePercentage"}}},{"kind":"Argument","name":{"kind":"Name","value":"network"},"value":{"kind":"Variable","name":{"kind":"Name","value":"network"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TradeQuoteSuccess"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sold"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ToolTokenAmount"}}]}},{"kind":"Field","name":{"kind":"Name","value":"maxSold"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ToolTokenAmount"}}]}},{"kind":"Field","name":{"kind":"Name","value":"quoted"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ToolTokenAmount"}}]}},{"kind":"Field","name":{"kind":"Name","value":"minBought"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ToolTokenAmount"}}]}},{"kind":"Field","name":{"kind":"Name","value":"price"}},{"kind":"Field","name":{"kind":"Name","value":"priceImpactPercentage"}},{"kind":"Field","name":{"kind":"Name","value":"sellTaxPercentage"}},{"kind":"Field","name":{"kind":"Name","value":"buyTaxPercentage"}},{"kind":"Field","name":{"kind":"Name","value":"warnings"}},{"kind":"Field","name":{"kind":"Name","value":"slippagePercentage"}},{"kind":"Field","name":{"kind":"Name","value":"fees"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"amount"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ToolTokenAmount"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"network"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ToolFailure"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ToolTokenAmount"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TokenAmount"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ToolFailure"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Error"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidRequestError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UrlNotAllowedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UnsupportedNetworkError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"IdempotencyKeyReusedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UnsupportedTokenError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ModelNotFoundError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterMs"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TargetUnreachableError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TargetTimeoutError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TargetResponseInvalidError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ToolCallFailedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProviderFailedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProviderRefusedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}},{"kind":"Field","name":{"kind":"Name","value":"providerStatus"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SpendingLimitExceededError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"period"}},{"kind":"Field","name":{"kind":"Name","value":"limitUsd"}},{"kind":"Field","name":{"kind":"Name","value":"remainingUsd"}},{"kind":"Field","name":{"kind":"Name","value":"requiredUsd"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InsufficientBalanceError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"network"}},{"kind":"Field","name":{"kind":"Name","value":"remaining"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}},{"kind":"Field","name":{"kind":"Name","value":"required"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MaxValueExceededError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"required"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NoAcceptableRequirementError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"considered"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"refusal"}},{"kind":"Field","name":{"kind":"Name","value":"explanation"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MailNotSentError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"isQueued"}},{"kind":"Field","name":{"kind":"Name","value":"mailMessage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messageId"}}]}}]}}]}}]} as unknown as DocumentNode<QuoteTradeQuery, QuoteTradeQueryVariables>;
export const ExecuteTradeDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ExecuteTrade"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"TradeInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"trade"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TradeSuccess"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"trade"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tradeId"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"txHash"}},{"kind":"Field","name":{"kind":"Name","value":"sold"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ToolTokenAmount"}}]}},{"kind":"Field","name":{"kind":"Name","value":"requested"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ToolTokenAmount"}}]}},{"kind":"Field","name":{"kind":"Name","value":"bought"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ToolTokenAmount"}}]}},{"kind":"Field","name":{"kind":"Name","value":"minBought"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ToolTokenAmount"}}]}},{"kind":"Field","name":{"kind":"Name","value":"network"}},{"kind":"Field","name":{"kind":"Name","value":"explorerUrl"}}]}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ToolFailure"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ToolTokenAmount"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TokenAmount"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ToolFailure"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Error"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidRequestError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UrlNotAllowedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UnsupportedNetworkError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"IdempotencyKeyReusedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UnsupportedTokenError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ModelNotFoundError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterMs"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TargetUnreachableError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TargetTimeoutError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TargetResponseInvalidError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ToolCallFailedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProviderFailedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProviderRefusedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paidTransactionId"}},{"kind":"Field","name":{"kind":"Name","value":"providerStatus"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SpendingLimitExceededError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"period"}},{"kind":"Field","name":{"kind":"Name","value":"limitUsd"}},{"kind":"Field","name":{"kind":"Name","value":"remainingUsd"}},{"kind":"Field","name":{"kind":"Name","value":"requiredUsd"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InsufficientBalanceError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"network"}},{"kind":"Field","name":{"kind":"Name","value":"remaining"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}},{"kind":"Field","name":{"kind":"Name","value":"required"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MaxValueExceededError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"required"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NoAcceptableRequirementError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"considered"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"refusal"}},{"kind":"Field","name":{"kind":"Name","value":"explanation"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MailNotSentError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"isQueued"}},{"kind":"Field","name":{"kind":"Name","value":"mailMessage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messageId"}}]}}]}}]}}]} as unknown as DocumentNode<ExecuteTradeMutation, ExecuteTradeMutationVariables>;
export const GetWalletDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"GetWallet"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"network"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"NetworkName"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"viewer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"wallet"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"balance"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"network"},"value":{"kind":"Variable","name":{"kind":"Name","value":"network"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"network"}},{"kind":"Field","name":{"kind":"Name","value":"address"}},{"kind":"Field","name":{"kind":"Name","value":"creditUsd"}},{"kind":"Field","name":{"kind":"Name","value":"usdc"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}}]}},{"kind":"Field","name":{"kind":"Name","value":"native"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"effectiveLimits"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"perTransactionLimitUsd"}},{"kind":"Field","name":{"kind":"Name","value":"dayLimitUsd"}},{"kind":"Field","name":{"kind":"Name","value":"dayRemainingUsd"}},{"kind":"Field","name":{"kind":"Name","value":"monthLimitUsd"}},{"kind":"Field","name":{"kind":"Name","value":"monthRemainingUsd"}}]}},{"kind":"Field","name":{"kind":"Name","value":"cardBudget"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"currency"}},{"kind":"Field","name":{"kind":"Name","value":"perOrderLimit"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}}]}},{"kind":"Field","name":{"kind":"Name","value":"dailyLimit"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}}]}},{"kind":"Field","name":{"kind":"Name","value":"dayUsed"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}}]}},{"kind":"Field","name":{"kind":"Name","value":"monthlyLimit"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}}]}},{"kind":"Field","name":{"kind":"Name","value":"monthUsed"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}}]}}]}}]}}]}}]} as unknown as DocumentNode<GetWalletQuery, GetWalletQueryVariables>;
export const ListTransactionsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ListTransactions"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"TransactionFilter"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"viewer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"transactions"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"edges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cursor"}},{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"TransactionFields"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TransactionFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Transaction"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"transactionId"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"direction"}},{"kind":"Field","name":{"kind":"Name","value":"amount"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}},{"kind":"Field","name":{"kind":"Name","value":"amountUsd"}},{"kind":"Field","name":{"kind":"Name","value":"network"}},{"kind":"Field","name":{"kind":"Name","value":"resource"}},{"kind":"Field","name":{"kind":"Name","value":"txHash"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"settledAt"}}]}}]} as unknown as DocumentNode<ListTransactionsQuery, ListTransactionsQueryVariables>;
export const GetTransactionDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"GetTransaction"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"transaction"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"TransactionFields"}},{"kind":"Field","name":{"kind":"Name","value":"payTo"}},{"kind":"Field","name":{"kind":"Name","value":"scheme"}},{"kind":"Field","name":{"kind":"Name","value":"signedAt"}},{"kind":"Field","name":{"kind":"Name","value":"paidFromCredit"}},{"kind":"Field","name":{"kind":"Name","value":"feeUsd"}},{"kind":"Field","name":{"kind":"Name","value":"explorerUrl"}},{"kind":"Field","name":{"kind":"Name","value":"failureReason"}},{"kind":"Field","name":{"kind":"Name","value":"description"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TransactionFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Transaction"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"transactionId"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"direction"}},{"kind":"Field","name":{"kind":"Name","value":"amount"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"symbol"}}]}},{"kind":"Field","name":{"kind":"Name","value":"amountUsd"}},{"kind":"Field","name":{"kind":"Name","value":"network"}},{"kind":"Field","name":{"kind":"Name","value":"resource"}},{"kind":"Field","name":{"kind":"Name","value":"txHash"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"settledAt"}}]}}]} as unknown as DocumentNode<GetTransactionQuery, GetTransactionQueryVariables>;