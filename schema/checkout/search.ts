import {
  DEFAULT_SEARCH_LIMIT,
  type FoundProduct,
  MAX_SEARCH_LIMIT,
  type ProductSearch,
  searchProducts,
} from "../../src/checkout/catalogue/search-products.ts";
import { MoneyType, toMoney } from "../amounts.ts";
import { builder } from "../builder.ts";
import { idOf } from "../global-id.ts";
import { StorableText } from "../text.ts";
import { SEARCH_ERRORS } from "./errors.ts";
import { MerchantNode } from "./merchants.ts";

const FoundProductType = builder.objectRef<FoundProduct>("FoundProduct").implement({
  description: "A product found by a search, represented by its best variant: available, then cheapest.",
  fields: (t) => ({
    sku: t.exposeString("sku", { description: "The sku to order the product by." }),
    productId: t.exposeString("productId", { description: "The merchant's id of the product." }),
    title: t.exposeString("title", { description: "The title of the product." }),
    variantTitle: t.exposeString("variantTitle", { nullable: true, description: "The title of the variant." }),
    vendor: t.exposeString("vendor", { nullable: true, description: "The vendor of the product." }),
    price: t.field({
      type: MoneyType,
      description: "The browse-time price.",
      resolve: ({ priceMinor, currency }) => toMoney(priceMinor, currency),
    }),
    compareAtPrice: t.field({
      type: MoneyType,
      nullable: true,
      description: "The former price of a reduced product; null otherwise.",
      resolve: ({ compareAtMinor, currency }) => toMoney(compareAtMinor, currency),
    }),
    available: t.exposeBoolean("available", { description: "Whether the variant is available." }),
    imageUrl: t.expose("imageUrl", { type: "Url", nullable: true, description: "The URL of an image." }),
    productUrl: t.expose("productUrl", { type: "Url", description: "The URL of the product page." }),
    merchant: t.expose("merchant", {
      type: MerchantNode,
      description: "The merchant. If it is not onboarded, explore it before requesting a quote.",
    }),
  }),
});

const ProductSearchSuccess = builder.objectRef<ProductSearch>("ProductSearchSuccess").implement({
  description: "The products found, and the extent of the search.",
  fields: (t) => ({
    query: t.exposeString("query", { description: "The search query." }),
    country: t.expose("country", { type: "CountryCode", description: "The market." }),
    currency: t.expose("currency", { type: "CurrencyCode", description: "The currency of the market." }),
    shopsSearched: t.exposeInt("shopsSearched", { description: "The number of merchants searched." }),
    chunks: t.exposeInt("chunks", {
      description: "The number of catalogue calls; each covers at most 1,000 merchants.",
    }),
    priceNote: t.exposeString("priceNote", { description: "A note about what the prices exclude." }),
    products: t.field({
      type: [FoundProductType],
      description: "The products: available first, then cheapest first.",
      resolve: ({ products }) => [...products],
    }),
  }),
});

builder.queryField("productSearch", (t) =>
  t.field({
    type: ProductSearchSuccess,
    complexity: { field: 50, multiplier: DEFAULT_SEARCH_LIMIT },
    authScopes: { account: true },
    description: "Searches products across all merchants of the approved pool.",
    errors: {
      types: SEARCH_ERRORS,
      union: { name: "ProductSearchResult", description: "The search result, or an error." },
    },
    args: {
      q: t.arg.string({
        required: true,
        validate: StorableText,
        description: "The search query, at most 200 characters.",
      }),
      country: t.arg({ type: "CountryCode", required: true, description: "The market: US, GB, CA or AU." }),
      limit: t.arg.int({
        description: `Maximum number of products, from 1 to ${MAX_SEARCH_LIMIT}. Default: ${DEFAULT_SEARCH_LIMIT}.`,
      }),
      merchantId: t.arg.id({
        description: "The id of the only merchant to search. Default: all merchants.",
        validate: idOf("Merchant"),
      }),
    },
    resolve: (_root, { q, country, limit, merchantId }, { deps, viewer }) =>
      searchProducts(deps, viewer, { query: q, country, limit: limit ?? null, merchantId: merchantId ?? null }),
  }),
);
