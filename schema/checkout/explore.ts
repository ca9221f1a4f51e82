/** Exploring a shop that was never bought from, or that has changed. */

import { CatalogUnavailableError } from "../../src/checkout/errors.ts";
import { exploreShop } from "../../src/checkout/explore/explore-shop.ts";
import { liveViewUrl } from "../../src/checkout/live/live-view-url.ts";
import { UrlNotAllowedError } from "../../src/platform/egress/errors.ts";
import { builder } from "../builder.ts";
import { BOUNDED_ERRORS } from "../errors.ts";
import { StorableText } from "../text.ts";
import { CheckoutOrderNode } from "./orders.ts";

const ExploreShopInput = builder.inputType("ExploreShopInput", {
  description: "Which shop, and what for.",
  fields: (t) => ({
    merchantUrl: t.string({
      required: true,
      validate: StorableText,
      description: "A page of the shop; best that of a product.",
    }),
    goal: t.string({ required: true, validate: StorableText, description: "What to buy; at most 2,000 characters." }),
    prefs: t.string({ validate: StorableText, description: "How it should get there; at most 2,000 characters." }),
    currency: t.string({ validate: StorableText, description: "The currency to pay in (ISO 4217), if that matters." }),
  }),
});

const ExploreShopSuccess = builder.objectRef<{ readonly orderId: string }>("ExploreShopSuccess").implement({
  description: "The exploration has begun, or is already over.",
  fields: (t) => ({
    order: t.prismaField({
      type: CheckoutOrderNode,
      description: "The order that it is: `explored` in the end, and then with its merchant.",
      resolve: (query, { orderId }, _args, { deps }) =>
        deps.db.prisma.checkoutOrder.findUniqueOrThrow({ ...query, where: { id: orderId } }),
    }),
    liveViewUrl: t.field({
      type: "Url",
      description: "Where it is watched, for 15 minutes; the order's page shows the same.",
      resolve: ({ orderId }, _args, { deps }) => liveViewUrl(deps, { id: orderId }, { mayAct: false }),
    }),
  }),
});

builder.mutationField("exploreShop", (t) =>
  t.field({
    type: ExploreShopSuccess,
    complexity: 50,
    authScopes: { account: true },
    description:
      "Finds out how a shop is bought from, which takes up to two minutes; afterwards it is a merchant. Charges nothing, and submits nothing to the shop. The same again while it is under way is the same order.",
    errors: {
      types: [...BOUNDED_ERRORS, UrlNotAllowedError, CatalogUnavailableError],
      union: { name: "ExploreShopResult", description: "The exploration, or why it was not begun." },
    },
    args: { input: t.arg({ type: ExploreShopInput, required: true, description: "The shop." }) },
    resolve: async (_root, { input }, { deps, viewer }) => {
      const { merchantUrl, goal, prefs = null, currency = null } = input;
      return { orderId: await exploreShop(deps, viewer, { merchantUrl, goal, prefs, currency }) };
    },
  }),
);
