import { z } from "zod";
import { isStorableText } from "../../../src/platform/database/text.ts";
import { CheckoutDispatchDocument } from "../../generated/graphql.ts";
import { idOrNone, toGlobalId } from "../../parameters.ts";
import { defineRoute } from "../../route.ts";
import { CART_FIELD_NAMES, CartBody, toCartInput, UNSTORABLE } from "./shapes.ts";

const ORDER = "ord_1795195756000_k3v9Qm2LxT7a";
const ORDER_URL = `https://satchel.example/orders/${ORDER}`;

/** An ISO 8601 time with an offset, as `DateTime` requires. */
const Instant = z.iso.datetime({ offset: true, error: "must be an ISO 8601 time such as 2026-11-20T17:29:16Z" });

export const checkoutDispatch = defineRoute({
  method: "POST",
  path: "/api/autofill/dispatch",
  dialect: "native",
  summary: "Place an order",
  description:
    "Places a quoted and approved order once. The same body again returns the same order; poll the order instead. A difference from the quote or the approval is rejected before any card is used, so no charge is possible. `ship_to` and `constraints` must equal those of the quote. A 202 is not a failure: show `approval_url`, poll the approval, then send the same body with `approval_token`.",
  movesMoney: true,
  query: z.object({}),
  body: CartBody.extend({
    amount_minor: z
      .int()
      .meta({ description: "The quote's `expected_amount_minor`, which the account owner approved." }),
    currency: z.string().nullish().meta({ description: "The currency; if given, it must equal that of the quote." }),
    card_alias_id: z
      .string()
      .min(1, "must not be empty. Send a value or leave it out")
      .max(500, "must be valid text of at most 500 characters")
      .refine(isStorableText, UNSTORABLE)
      .nullish()
      .meta({ description: "The card's `id`; default: the default card." }),
    user_confirmation_text: z
      .string()
      .meta({ description: "The account owner's literal reply, stored as evidence. Never paraphrase it." }),
    user_approved_at_iso: Instant.meta({ description: "Timestamp of the reply." }),
    user_prompt: z
      .string()
      .nullish()
      .meta({ description: "The account owner's original request; shown on the receipt." }),
    ship_to_sha256: z
      .string()
      .nullish()
      .meta({ description: "The quote's `ship_to_sha256`; if given, the destination must match it." }),
    approval_token: z.string().nullish().meta({
      description: "The token of a granted approval. All other members must equal those of the first dispatch.",
    }),
  }),
  bodyExample:
    '{"merchant_id": "mer_…", "items": [{"sku": "gid://shopify/ProductVariant/710031", "quantity": 2}], "amount_minor": 2895, "currency": "GBP", "user_confirmation_text": "Yes, order it", "user_approved_at_iso": "2026-11-20T17:29:16Z"}',
  document: CheckoutDispatchDocument,
  variables: ({ body }) => ({
    input: {
      ...toCartInput(body),
      amountMinor: body.amount_minor,
      currency: body.currency ?? null,
      cardId: body.card_alias_id ? toGlobalId("PaymentCard", idOrNone(body.card_alias_id)) : null,
      userConfirmationText: body.user_confirmation_text,
      userApprovedAt: body.user_approved_at_iso,
      userPrompt: body.user_prompt ?? null,
      shipToSha256: body.ship_to_sha256 ?? null,
      approvalToken: body.approval_token ?? null,
    },
  }),
  fieldNames: {
    ...CART_FIELD_NAMES,
    amountMinor: "amount_minor",
    cardId: "card_alias_id",
    userConfirmationText: "user_confirmation_text",
    userApprovedAt: "user_approved_at_iso",
    userPrompt: "user_prompt",
    shipToSha256: "ship_to_sha256",
    approvalToken: "approval_token",
    idempotencyKey: "Idempotency-Key",
  },
  toResponse({ dispatchOrder: result }) {
    if (result.__typename !== "DispatchOrderSuccess") return result;
    const { order, requiredApproval: approval } = result;
    const names = { order_id: order.orderId, status: order.status };
    if (approval) {
      return {
        ...names,
        approval_required: true,
        approval_token: approval.approvalToken,
        approval_url: approval.approvalUrl,
        expires_in: approval.expiresInSeconds,
        reason: approval.reason,
        order_url: order.orderUrl,
      };
    }
    return {
      ...names,
      worker_job_id: result.workerJobId,
      order_url: order.orderUrl,
      live_view_url: result.liveViewUrl,
      retry_action: order.retryAction,
      ...(order.retryAction === "poll"
        ? {}
        : { retryable: order.retryable, error_code: order.errorCode, error_message: order.errorMessage }),
    };
  },
  success: {
    description: "The order: in progress, or the final state of an order dispatched before.",
    schema: z.object({
      order_id: z.string(),
      status: z.string(),
      worker_job_id: z.string(),
      order_url: z.string().meta({ description: "The order page to show to the account owner." }),
      live_view_url: z.string().meta({ description: "A signed URL, valid for 15 minutes; prefer `order_url`." }),
      retry_action: z
        .enum(["re_preview", "poll", "handoff", "contact_support", "none"])
        .meta({ description: "The only next step; `poll` until the order has ended." }),
      retryable: z.boolean().nullish().meta({
        description: "Present once the order has ended. Null if a charge is unconfirmed.",
      }),
      error_code: z.string().nullish(),
      error_message: z.string().nullish(),
    }),
    example: {
      order_id: ORDER,
      status: "pending",
      worker_job_id: "wjb_1795195756000_k3v9Qm2LxT7a",
      order_url: ORDER_URL,
      live_view_url: `https://satchel.example/live/${ORDER}?token=eyJhbGciOiJFUzI1NiJ9…`,
      retry_action: "poll",
    },
  },
  accepted: {
    description: "The purchase is outside of the standing policy and needs the account owner's approval.",
    matches: (body) => "approval_required" in body,
    schema: z.object({
      order_id: z.string(),
      status: z.literal("approval_required"),
      approval_required: z.literal(true),
      approval_token: z
        .string()
        .meta({ description: "Token to poll the approval and to repeat the dispatch. It replaces earlier tokens." }),
      approval_url: z
        .string()
        .meta({ description: "The page where the account owner approves or denies the purchase." }),
      expires_in: z.int().meta({ description: "Seconds until the approval request expires." }),
      reason: z.string().meta({ description: "Reason why the standing policy does not cover the purchase." }),
      order_url: z.string(),
    }),
    example: {
      order_id: ORDER,
      status: "approval_required",
      approval_required: true,
      approval_token: "satchel_ap_7Jb2…",
      approval_url: "https://satchel.example/approve/apr_1795195756000_k3v9Qm2LxT7a",
      expires_in: 900,
      reason: "above_order_limit",
      order_url: ORDER_URL,
    },
  },
  errors: [
    "forbidden",
    "not_found",
    "ship_to_invalid",
    "constraints_invalid",
    "ship_to_unsupported",
    "ship_to_with_pickup",
    "ship_to_mismatch",
    "constraint_violated",
    "shopify_amount_changed",
    "pickup_location_unresolved",
    "sku_not_found",
    "not_shopify",
    "catalog_unavailable",
    "idempotency_key_reused",
    "idempotency_in_flight",
    "rate_limited",
  ],
});
