import { z } from "zod";
import { CheckoutDryRunDocument } from "../../generated/graphql.ts";
import { defineRoute } from "../../route.ts";
import { CART_FIELD_NAMES, CartBody, toCartInput } from "./shapes.ts";

export const checkoutDryRun = defineRoute({
  method: "POST",
  path: "/api/autofill/dry-run",
  dialect: "native",
  summary: "Try a checkout without paying",
  description:
    "Fills in a merchant's checkout up to the point where a purchase would use the card. Poll the order: once its status is `explored`, `dry_run` has total, tax and missing fields. Uses no card and orders nothing. The merchant sees name, address and email, so the checkout policy must permit it. For 15 minutes, a quote of the same cart has the payment page's total as its final amount.",
  movesMoney: false,
  query: z.object({}),
  body: CartBody,
  bodyExample: '{"merchant_id": "mer_…", "items": [{"sku": "NB-PLAIN", "quantity": 1}]}',
  document: CheckoutDryRunDocument,
  variables: ({ body }) => ({ input: toCartInput(body) }),
  fieldNames: CART_FIELD_NAMES,
  toResponse({ startDryRun: result }) {
    if (result.__typename !== "StartDryRunSuccess") return result;
    const { order, liveViewUrl } = result;
    return {
      order_id: order.orderId,
      status: "pending" as const,
      order_url: order.orderUrl,
      live_view_url: liveViewUrl,
    };
  },
  success: {
    description: "The dry run was started, or is in progress.",
    schema: z.object({
      order_id: z.string(),
      status: z.enum(["pending"]).meta({ description: "Poll the order." }),
      order_url: z.string().meta({ description: "The order page to show to the account owner." }),
      live_view_url: z.string().meta({ description: "A signed URL, valid for 15 minutes." }),
    }),
    example: {
      order_id: "ord_1795195756000_k3v9Qm2LxT7a",
      status: "pending",
      order_url: "https://satchel.example/orders/ord_1795195756000_k3v9Qm2LxT7a",
      live_view_url: "https://satchel.example/live/ord_1795195756000_k3v9Qm2LxT7a?token=eyJhbGciOiJFUzI1NiJ9…",
    },
  },
  errors: [
    "forbidden",
    "not_found",
    "ship_to_invalid",
    "constraints_invalid",
    "ship_to_unsupported",
    "ship_to_with_pickup",
    "constraint_total_exceeded",
    "constraint_unverifiable",
    "sku_not_found",
    "catalog_unavailable",
    "not_shopify",
    "rate_limited",
  ],
});
