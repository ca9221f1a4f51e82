import { z } from "zod";
import { CheckoutExploreDocument } from "../../generated/graphql.ts";
import { defineRoute } from "../../route.ts";

export const checkoutExplore = defineRoute({
  method: "POST",
  path: "/api/autofill/explore",
  dialect: "native",
  summary: "Explore a shop",
  description:
    "Finds out how a shop is bought from: what it sells, where it sends, how its checkout goes. Takes up to two minutes: poll the order. Once it is `explored`, ask for a quote with its `merchant_id`. Charges nothing, and submits nothing to the shop.",
  scope: "payments:sign",
  movesMoney: false,
  query: z.object({}),
  body: z.object({
    merchant_url: z.string().meta({ description: "A page of the shop; best that of a product.", format: "uri" }),
    goal: z.string().meta({ description: "What to buy; at most 2,000 characters." }),
    prefs: z.string().nullish().meta({ description: "How it should get there." }),
    currency: z.string().nullish().meta({ description: "The currency to pay in (ISO 4217), if that matters." }),
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
  answer({ exploreShop: result }) {
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
    description: "It has begun, or is already over.",
    schema: z.object({
      order_id: z.string(),
      status: z.enum(["pending", "explored"]).meta({ description: "`pending`: poll the order." }),
      order_url: z.string().meta({ description: "The page to give the person." }),
      live_view_url: z.string().meta({ description: "Signed, and good for 15 minutes." }),
      merchant_id: z.string().nullable().meta({ description: "Null while the shop is not known." }),
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
