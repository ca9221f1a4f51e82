import { z } from "zod";
import { CheckoutExploreDocument } from "../../generated/graphql.ts";
import { defineRoute } from "../../route.ts";

export const checkoutExplore = defineRoute({
  method: "POST",
  path: "/api/autofill/explore",
  dialect: "native",
  summary: "Explore a merchant",
  description:
    "Explores a merchant's site: its catalogue, delivery and checkout. This lasts up to two minutes: poll the order. Once its status is `explored`, request a quote with its `merchant_id`. Exploring charges nothing and submits nothing to the merchant.",
  movesMoney: false,
  query: z.object({}),
  body: z.object({
    merchant_url: z
      .string()
      .meta({ description: "The URL of a page of the merchant, preferably of a product.", format: "uri" }),
    goal: z.string().meta({ description: "Description of the item to buy; at most 2,000 characters." }),
    prefs: z
      .string()
      .nullish()
      .meta({ description: "The delivery preference. Later quotes list the options that match it first." }),
    currency: z.string().nullish().meta({ description: "The preferred currency (ISO 4217)." }),
  }),
  bodyExample: '{"merchant_url": "https://bindery.example/item/sewn-notebook", "goal": "a sewn notebook, ruled"}',
  document: CheckoutExploreDocument,
  variables: ({ body }) => ({
    input: {
      merchantUrl: body.merchant_url,
      goal: body.goal,
      prefs: body.prefs ?? null,
      currency: body.currency ?? null,
    },
  }),
  fieldNames: { merchantUrl: "merchant_url", url: "merchant_url" },
  toResponse({ exploreShop: result }) {
    if (result.__typename !== "ExploreShopSuccess") return result;
    const { order, liveViewUrl } = result;
    return {
      order_id: order.orderId,
      status: order.status === "explored" ? ("explored" as const) : ("pending" as const),
      order_url: order.orderUrl,
      live_view_url: liveViewUrl,
      merchant_id: order.merchant?.merchantId ?? null,
    };
  },
  success: {
    description: "The exploration was started, or has already ended.",
    schema: z.object({
      order_id: z.string(),
      status: z.enum(["pending", "explored"]).meta({ description: "`pending`: poll the order." }),
      order_url: z.string().meta({ description: "The order page to show to the account owner." }),
      live_view_url: z.string().meta({ description: "A signed URL, valid for 15 minutes." }),
      merchant_id: z.string().nullable().meta({ description: "ID of the merchant; null until it is known." }),
    }),
    example: {
      order_id: "ord_1795195756000_k3v9Qm2LxT7a",
      status: "pending",
      order_url: "https://satchel.example/orders/ord_1795195756000_k3v9Qm2LxT7a",
      live_view_url: "https://satchel.example/live/ord_1795195756000_k3v9Qm2LxT7a?token=eyJhbGciOiJFUzI1NiJ9…",
      merchant_id: null,
    },
  },
  errors: ["forbidden", "url_not_allowed", "rate_limited", "catalog_unavailable"],
});
