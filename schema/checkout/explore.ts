/** Exploration of a new or changed merchant. */

import { CatalogUnavailableError } from "../../src/checkout/errors.ts";
import { exploreMerchant } from "../../src/checkout/explore/explore-merchant.ts";
import { createLiveViewUrl } from "../../src/checkout/live/live-view-url.ts";
import { UrlNotAllowedError } from "../../src/platform/egress/errors.ts";
import { builder } from "../builder.ts";
import { BOUNDED_ERRORS } from "../errors.ts";
import { StorableText } from "../text.ts";
import { CheckoutOrderNode } from "./orders.ts";

const ExploreShopInput = builder.inputType("ExploreShopInput", {
  description: "The merchant to explore and the purchase to prepare.",
  fields: (t) => ({
    merchantUrl: t.string({
      required: true,
      validate: StorableText,
      description: "The URL of a page of the merchant, preferably of a product.",
    }),
    goal: t.string({
      required: true,
      validate: StorableText,
      description: "What to buy, in words; at most 2,000 characters.",
    }),
    prefs: t.string({
      validate: StorableText,
      description:
        "Fulfilment preference, in words; at most 2,000 characters. Later quotes list the options that match it first.",
    }),
    currency: t.field({
      type: "CurrencyCode",
      validate: StorableText,
      description: "The preferred currency. Prices are read in it if the merchant has it.",
    }),
  }),
});

const ExploreShopSuccess = builder.objectRef<{ readonly orderId: string }>("ExploreShopSuccess").implement({
  description: "The exploration has started or is already complete.",
  fields: (t) => ({
    order: t.prismaField({
      type: CheckoutOrderNode,
      description: "The order of the exploration. Its final status is `explored`; it then names the merchant.",
      resolve: (query, { orderId }, _args, { deps }) =>
        deps.db.prisma.checkoutOrder.findUniqueOrThrow({ ...query, where: { id: orderId } }),
    }),
    liveViewUrl: t.field({
      type: "Url",
      description: "Live view of the exploration, valid for 15 minutes. The order page embeds the same view.",
      resolve: ({ orderId }, _args, { deps }) => createLiveViewUrl(deps, { id: orderId }, { mayAct: false }),
    }),
  }),
});

builder.mutationField("exploreShop", (t) =>
  t.field({
    type: ExploreShopSuccess,
    complexity: 50,
    authScopes: { account: true },
    description:
      "Explores a merchant's site and onboards the merchant. An exploration lasts up to two minutes. Charges nothing and submits nothing to the merchant. Repeating a request while its exploration is in progress returns the same order.",
    errors: {
      types: [...BOUNDED_ERRORS, UrlNotAllowedError, CatalogUnavailableError],
      union: {
        name: "ExploreShopResult",
        description: "The exploration, or an error. After an error no exploration was started.",
      },
    },
    args: { input: t.arg({ type: ExploreShopInput, required: true, description: "The merchant to explore." }) },
    resolve: async (_root, { input }, { deps, viewer }) => {
      const { merchantUrl, goal, prefs = null, currency = null } = input;
      return { orderId: await exploreMerchant(deps, viewer, { merchantUrl, goal, prefs, currency }) };
    },
  }),
);
