import { z } from "zod";
import { CheckoutDispatchDocument } from "../../generated/graphql.ts";
import { defineRoute } from "../../route.ts";
import { CART_FIELD_NAMES, CartBody, cartInput } from "./shapes.ts";

const ORDER = "ord_1795195756000_k3v9Qm2LxT7a";
const ORDER_URL = `https://satchel.example/orders/${ORDER}`;

/** ISO 8601 with its offset, as a `DateTime` is. */
const Instant = z.iso.datetime({ offset: true, error: "must be an ISO 8601 time such as 2026-11-20T17:29:16Z" });

export const checkoutDispatch = defineRoute({
  method: "POST",
  path: "/api/autofill/dispatch",
  dialect: "native",
  summary: "Place an order",
  description:
    "Places what was quoted and approved, once: the same body again is the same order, so poll the order instead. Whatever differs from the quote or the approval is refused before any card is used, and nothing can be charged. `ship_to` and `constraints` are those of the quote. A 202 is no failure: show `approval_url`, poll the approval, then send the same body with `approval_token`.",
  scope: "payments:sign",
  movesMoney: true,
  query: z.object({}),
  body: CartBody.extend({
    amount_minor: z.int().meta({ description: "The quote's `expected_amount_minor`: what the person approved." }),
    currency: z.string().nullish().meta({ description: "Its currency, to have it compared." }),
    card_alias_id: z.string().nullish().meta({ description: "The card's `id`; default the default card." }),
    user_confirmation_text: z
      .string()
      .meta({ description: "The person's literal reply, kept as evidence: never paraphrase it." }),
    user_approved_at_iso: Instant.meta({ description: "When they gave it." }),
    user_prompt: z.string().nullish().meta({ description: "What they asked for; shown on the receipt." }),
    ship_to_sha256: z
      .string()
      .nullish()
      .meta({ description: "The quote's, to have the destination compared with it." }),
    approval_token: z.string().nullish().meta({ description: "Once they approved it; all else exactly as it was." }),
  }),
  bodyExample:
    '{"merchant_id": "mer_…", "items": [{"sku": "gid://shopify/ProductVariant/710031", "quantity": 2}], "amount_minor": 2895, "currency": "GBP", "user_confirmation_text": "Yes, order it", "user_approved_at_iso": "2026-11-20T17:29:16Z"}',
  document: CheckoutDispatchDocument,
  variables: ({ body }) => ({
    input: {
      ...cartInput(body),
      amountMinor: body.amount_minor,
      currency: body.currency ?? null,
      cardId: body.card_alias_id ?? null,
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
  answer({ dispatchOrder: result }) {
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
    description: "The order: on its way, or as it ended when it was dispatched before.",
    schema: z.object({
      order_id: z.string(),
      status: z.string(),
      worker_job_id: z.string(),
      order_url: z.string().meta({ description: "The link to give the person." }),
      live_view_url: z.string().meta({ description: "Signed, and good for 15 minutes; prefer `order_url`." }),
      retry_action: z
        .enum(["re_preview", "poll", "handoff", "contact_support", "none"])
        .meta({ description: "The single next call; `poll` until it has ended." }),
      retryable: z.boolean().nullish().meta({ description: "Once it has ended; null: money may have moved." }),
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
    description: "The purchase is outside of the standing policy: its person is asked first.",
    isIt: (answer) => "approval_required" in answer,
    schema: z.object({
      order_id: z.string(),
      status: z.literal("approval_required"),
      approval_required: z.literal(true),
      approval_token: z
        .string()
        .meta({ description: "Poll with it, then dispatch the same with it; an earlier one is good no more." }),
      approval_url: z.string().meta({ description: "Show it to the person: they decide there." }),
      expires_in: z.int().meta({ description: "Seconds." }),
      reason: z.string().meta({ description: "Why the standing policy does not cover it." }),
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
