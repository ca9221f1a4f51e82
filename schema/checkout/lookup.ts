import { type LookedUpProduct, lookupProduct } from "../../src/checkout/catalogue/lookup-product.ts";
import { builder } from "../builder.ts";
import { LOOKUP_ERRORS } from "./errors.ts";
import { MerchantNode } from "./merchants.ts";

const ProductLookupSuccess = builder.objectRef<LookedUpProduct>("ProductLookupSuccess").implement({
  description: "The product behind an address.",
  fields: (t) => ({
    sku: t.exposeString("sku", { description: "What to order it by." }),
    title: t.exposeString("title", { description: "Its name." }),
    variantTitle: t.exposeString("variantTitle", { nullable: true, description: "Which of its variants." }),
    priceMinor: t.expose("priceMinor", { type: "MinorAmount", description: "Its price while browsing." }),
    currency: t.exposeString("currency", { description: "The price's currency (ISO 4217)." }),
    available: t.exposeBoolean("available", { description: "Whether it can be bought now." }),
    imageUrl: t.expose("imageUrl", { type: "Url", nullable: true, description: "A picture of it." }),
    productUrl: t.expose("productUrl", { type: "Url", description: "The address as it was given." }),
    merchant: t.expose("merchant", {
      type: MerchantNode,
      nullable: true,
      description: "The shop, where it is in the approved pool. Looking up onboards nobody.",
    }),
    shopName: t.string({ description: "What the shop calls itself.", resolve: ({ shop }) => shop.name }),
    shopUrl: t.field({ type: "Url", description: "Its site.", resolve: ({ shop }) => shop.url }),
    variantNote: t.exposeString("variantNote", {
      nullable: true,
      description: "Which variant was taken where the address named none.",
    }),
    priceNote: t.exposeString("priceNote", { description: "What the price leaves out." }),
  }),
});

builder.queryField("productLookup", (t) =>
  t.field({
    type: ProductLookupSuccess,
    complexity: 50,
    authScopes: { account: true },
    description: "Reads a product from its page's address at a Shopify shop.",
    errors: {
      types: LOOKUP_ERRORS,
      union: { name: "ProductLookupResult", description: "The product, or why it was not read." },
    },
    args: { url: t.arg.string({ required: true, description: "The address, exactly as copied." }) },
    resolve: (_root, { url }, { deps, viewer }) => lookupProduct(deps, viewer, url),
  }),
);
