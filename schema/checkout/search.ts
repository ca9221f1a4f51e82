import {
  DEFAULT_SEARCH_LIMIT,
  type FoundProduct,
  MAX_SEARCH_LIMIT,
  type ProductSearch,
  searchProducts,
} from "../../src/checkout/catalogue/search-products.ts";
import { builder } from "../builder.ts";
import { StorableText } from "../text.ts";
import { SEARCH_ERRORS } from "./errors.ts";
import { MerchantNode } from "./merchants.ts";

const FoundProductType = builder.objectRef<FoundProduct>("FoundProduct").implement({
  description: "A product that a search found, by the variant one would buy.",
  fields: (t) => ({
    sku: t.exposeString("sku", { description: "What to order it by." }),
    productId: t.exposeString("productId", { description: "The shop's id of the product." }),
    title: t.exposeString("title", { description: "Its name." }),
    variantTitle: t.exposeString("variantTitle", { nullable: true, description: "Which of its variants." }),
    vendor: t.exposeString("vendor", { nullable: true, description: "Who makes it." }),
    priceMinor: t.expose("priceMinor", { type: "MinorAmount", description: "Its price while browsing." }),
    compareAtMinor: t.expose("compareAtMinor", {
      type: "MinorAmount",
      nullable: true,
      description: "What it cost before, where it is reduced.",
    }),
    currency: t.exposeString("currency", { description: "The prices' currency (ISO 4217)." }),
    available: t.exposeBoolean("available", { description: "Whether it can be bought now." }),
    imageUrl: t.expose("imageUrl", { type: "Url", nullable: true, description: "A picture of it." }),
    productUrl: t.expose("productUrl", { type: "Url", description: "Its page." }),
    merchant: t.expose("merchant", {
      type: MerchantNode,
      description: "The shop. One that is not onboarded is explored before anything can be priced there.",
    }),
  }),
});

const ProductSearchSuccess = builder.objectRef<ProductSearch>("ProductSearchSuccess").implement({
  description: "What was found, and how wide was searched.",
  fields: (t) => ({
    query: t.exposeString("query", { description: "The words." }),
    country: t.exposeString("country", { description: "The market." }),
    currency: t.exposeString("currency", { description: "What that market pays in." }),
    shopsSearched: t.exposeInt("shopsSearched", { description: "Shops that were covered." }),
    chunks: t.exposeInt("chunks", { description: "Calls to the catalogue: each covers 1,000 shops at most." }),
    priceNote: t.exposeString("priceNote", { description: "What the prices leave out." }),
    products: t.field({
      type: [FoundProductType],
      description: "What can be bought first, then the cheapest first.",
      resolve: ({ products }) => [...products],
    }),
  }),
});

builder.queryField("productSearch", (t) =>
  t.field({
    type: ProductSearchSuccess,
    complexity: { field: 50, multiplier: DEFAULT_SEARCH_LIMIT },
    authScopes: { account: true },
    description: "Finds products over all shops of the approved pool.",
    errors: {
      types: SEARCH_ERRORS,
      union: { name: "ProductSearchResult", description: "What was found, or why nothing was searched." },
    },
    args: {
      q: t.arg.string({ required: true, validate: StorableText, description: "What to look for." }),
      country: t.arg.string({ required: true, description: "The market: US, GB, CA or AU." }),
      limit: t.arg.int({ description: `How many; default ${DEFAULT_SEARCH_LIMIT}, at most ${MAX_SEARCH_LIMIT}.` }),
      merchantId: t.arg.string({ validate: StorableText, description: "In the shop of this id (`mer_…`) alone." }),
    },
    resolve: (_root, { q, country, limit, merchantId }, { deps, viewer }) =>
      searchProducts(deps, viewer, { query: q, country, limit: limit ?? null, merchantId: merchantId ?? null }),
  }),
);
