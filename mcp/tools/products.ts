/** Tools that find products and read saved cards. Product texts come from merchants. */
import { z } from "zod";
import {
  ExploreMerchantDocument,
  GetProductDocument,
  ListCardsDocument,
  type ProductMerchantFragment,
  SearchProductsDocument,
} from "../generated/graphql.ts";
import { OFFSET_CURSOR, pageOfConnection, pageOfItems } from "../pages.ts";
import { PAGE, PAGE_OUTPUT, readPage, URL_ARGUMENT } from "../parameters.ts";
import { MAX_PAGE_BYTES } from "../result-size.ts";
import { defineTool } from "../tool.ts";
import { requireSuccess } from "../tool-error.ts";
import { untrusted, untrustedWithin } from "../untrusted.ts";

const DEFAULT_PRODUCTS = 10;
/** The search returns at most this many. */
const MAX_PRODUCTS = 100;

/** `explore_url`: explore_shop must read the merchant first, since nothing was bought there. */
const toMerchant = (merchant: ProductMerchantFragment) => ({
  merchant_id: merchant.isOnboarded ? merchant.merchantId : null,
  merchant: merchant.name,
  domain: merchant.domain,
  ...(merchant.isTest ? { is_test: true } : {}),
  ...(merchant.isOnboarded ? {} : { explore_url: merchant.url }),
});

export const searchProducts = defineTool({
  name: "search_products",
  title: "Search products",
  description:
    "Searches products of merchants: available ones first, then the cheapest. Pass merchant_id and sku to quote_cart; with explore_url, call explore_shop with it first.",
  group: "shop",
  effect: "none",
  isIdempotent: true,
  isOpenWorld: true,
  input: z.strictObject({
    query: z.string().min(1).max(200),
    country: z
      .string()
      .regex(/^[A-Z]{2}$/, 'must be a code such as "GB"')
      .meta({ description: "US, GB, CA or AU." }),
    limit: PAGE.limit,
    cursor: OFFSET_CURSOR.optional(),
  }),
  output: null,
  document: SearchProductsDocument,
  async call({ query, country, limit = DEFAULT_PRODUCTS, cursor }, { run }) {
    const found = requireSuccess((await run({ q: query, country, limit: MAX_PRODUCTS })).productSearch);
    const products = found.products.map(({ merchant, price, ...product }) => ({
      sku: product.sku,
      title: product.title,
      variant: product.variantTitle,
      price: price.amount,
      currency: price.currency,
      available: product.available,
      url: product.productUrl,
      ...toMerchant(merchant),
    }));
    const page = pageOfItems(products, { cursor, limit });
    return { products: untrusted(page.items), price_note: found.priceNote, next_cursor: page.next_cursor };
  },
});

export const getProduct = defineTool({
  name: "get_product",
  title: "Get product",
  description: "Returns the product at the URL of a product page, exactly as copied.",
  group: "shop",
  effect: "none",
  isIdempotent: true,
  isOpenWorld: true,
  input: z.strictObject({ url: URL_ARGUMENT }),
  output: null,
  document: GetProductDocument,
  async call({ url }, { run }) {
    const product = requireSuccess((await run({ url })).productLookup);
    const { merchant } = product;
    return {
      product: untrustedWithin(MAX_PAGE_BYTES, {
        sku: product.sku,
        title: product.title,
        variant: product.variantTitle,
        price: product.price.amount,
        currency: product.price.currency,
        available: product.available,
        url: product.productUrl,
        ...(merchant ? toMerchant(merchant) : { merchant: product.shopName, explore_url: product.shopUrl }),
      }),
      price_note: product.priceNote,
      variant_note: product.variantNote,
    };
  },
});

export const exploreShop = defineTool({
  name: "explore_shop",
  title: "Explore merchant",
  description:
    "Reads a merchant that was never bought from, so that its products can be quoted. Buys nothing. Poll get_request_status with the order_id.",
  group: "shop",
  effect: "adds",
  affects: "order",
  isIdempotent: false,
  isOpenWorld: true,
  input: z.strictObject({
    merchant_url: URL_ARGUMENT,
    goal: z.string().min(1).max(2_000).meta({ description: "What to find." }),
  }),
  output: z.object({ order_id: z.string(), status: z.string(), order_url: z.string() }),
  document: ExploreMerchantDocument,
  async call({ merchant_url: merchantUrl, goal }, { run }) {
    const { order } = requireSuccess((await run({ input: { merchantUrl, goal } })).exploreShop);
    return { order_id: order.orderId, status: order.status, order_url: order.orderUrl };
  },
});

export const listCards = defineTool({
  name: "list_cards",
  title: "List cards",
  description: "Lists the owner's saved cards.",
  group: "shop",
  effect: "none",
  isIdempotent: true,
  isOpenWorld: false,
  input: z.strictObject(PAGE),
  output: z.object({
    cards: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        expires: z.string(),
        billing_country: z.string(),
        is_default: z.boolean(),
        status: z.string(),
      }),
    ),
    ...PAGE_OUTPUT,
  }),
  document: ListCardsDocument,
  async call(paging, { run }) {
    const page = pageOfConnection((await run(readPage(paging))).viewer?.cards, (card) => ({
      id: card.cardId,
      name: `${card.nickname ?? card.brand} ${card.last4}`,
      expires: `${String(card.expMonth).padStart(2, "0")}/${card.expYear}`,
      billing_country: card.billingCountry,
      is_default: card.isDefault,
      status: card.status,
    }));
    return { cards: page.items, next_cursor: page.next_cursor };
  },
});
