import { type LookedUpProduct, lookupProduct } from "../../src/checkout/catalogue/lookup-product.ts";
import { MoneyType, toMoney } from "../amounts.ts";
import { builder } from "../builder.ts";
import { LOOKUP_ERRORS } from "./errors.ts";
import { MerchantNode } from "./merchants.ts";

const ProductLookupSuccess = builder.objectRef<LookedUpProduct>("ProductLookupSuccess").implement({
  description: "The product of a page.",
  fields: (t) => ({
    sku: t.exposeString("sku", { description: "The sku to order the product by." }),
    title: t.exposeString("title", { description: "The title of the product." }),
    variantTitle: t.exposeString("variantTitle", { nullable: true, description: "The title of the variant." }),
    price: t.field({
      type: MoneyType,
      description: "The browse-time price.",
      resolve: ({ priceMinor, currency }) => toMoney(priceMinor, currency),
    }),
    available: t.exposeBoolean("available", { description: "Whether the variant is available." }),
    imageUrl: t.expose("imageUrl", { type: "Url", nullable: true, description: "The URL of an image." }),
    productUrl: t.expose("productUrl", { type: "Url", description: "The URL that was sent." }),
    merchant: t.expose("merchant", {
      type: MerchantNode,
      nullable: true,
      description: "The merchant, if it is in the approved pool. Look-up does not onboard merchants.",
    }),
    shopName: t.string({ description: "The name of the store.", resolve: ({ store }) => store.name }),
    shopUrl: t.field({ type: "Url", description: "The URL of the store.", resolve: ({ store }) => store.url }),
    variantNote: t.exposeString("variantNote", {
      nullable: true,
      description: "A note about the selected variant. Null unless the URL names none of several.",
    }),
    priceNote: t.exposeString("priceNote", { description: "A note about what the price excludes." }),
  }),
});

builder.queryField("productLookup", (t) =>
  t.field({
    type: ProductLookupSuccess,
    complexity: 50,
    authScopes: { account: true },
    description: "Looks up a product by the URL of its page at a Shopify store.",
    errors: {
      types: LOOKUP_ERRORS,
      union: { name: "ProductLookupResult", description: "The product, or an error." },
    },
    args: {
      url: t.arg.string({
        required: true,
        description: "The URL of the product page, exactly as copied, including `?variant=`.",
      }),
    },
    resolve: (_root, { url }, { deps, viewer }) => lookupProduct(deps, viewer, url),
  }),
);
