import { z } from "zod";
import { CheckoutProductLookupDocument, CheckoutProductSearchDocument } from "../../generated/graphql.ts";
import { requiredText, wholeNumber } from "../../parameters.ts";
import { defineRoute } from "../../route.ts";
import { MERCHANT_EXAMPLE, MerchantBriefShape, OnboardShape, toMerchantBrief, toOnboard } from "./shapes.ts";

const { id, name, domain, rail, is_test, is_pooled } = MERCHANT_EXAMPLE;
const BRIEF_EXAMPLE = { id, name, domain, rail, is_test, is_pooled };

const ProductShape = z.object({
  sku: z.string(),
  product_id: z.string(),
  title: z.string(),
  variant_title: z.string().nullable(),
  vendor: z.string().nullable(),
  price_minor: z.int(),
  compare_at_minor: z.int().nullable(),
  currency: z.string(),
  available: z.boolean(),
  image_url: z.string().nullable(),
  product_url: z.string(),
  merchant: MerchantBriefShape,
  onboard: OnboardShape.optional(),
});

export const checkoutSearch = defineRoute({
  method: "GET",
  path: "/api/autofill/products/search",
  dialect: "native",
  summary: "Search products",
  description:
    "Searches all merchants of the approved pool. Available products come first, then the cheapest. A product with `onboard` belongs to a merchant that Satchel has never bought from: explore it before requesting a quote.",
  movesMoney: false,
  query: z.object({
    q: requiredText("Search words."),
    country: requiredText("The country of the market: `US`, `GB`, `CA` or `AU`."),
    limit: wholeNumber({ min: 1, max: 100, default: 20 }, "Maximum number of products.").optional(),
  }),
  body: null,
  document: CheckoutProductSearchDocument,
  variables: ({ query }) => ({ q: query.q ?? "", country: query.country ?? "", limit: query.limit ?? 20 }),
  fieldNames: {},
  toResponse({ productSearch: result }) {
    if (result.__typename !== "ProductSearchSuccess") return result;
    const { query, country, currency, shopsSearched, chunks, priceNote } = result;
    const products = result.products.map((product) => ({
      sku: product.sku,
      product_id: product.productId,
      title: product.title,
      variant_title: product.variantTitle,
      vendor: product.vendor,
      price_minor: product.price.amountMinor,
      compare_at_minor: product.compareAtPrice?.amountMinor ?? null,
      currency: product.price.currency,
      available: product.available,
      image_url: product.imageUrl,
      product_url: product.productUrl,
      merchant: toMerchantBrief(product.merchant),
      ...(product.merchant.isOnboarded ? {} : { onboard: toOnboard(product.merchant.url) }),
    }));
    return { query, country, currency, shops_searched: shopsSearched, chunks, price_note: priceNote, products };
  },
  success: {
    description: "The products.",
    schema: z.object({
      query: z.string(),
      country: z.string(),
      currency: z.string(),
      shops_searched: z.int(),
      chunks: z.int().meta({ description: "Number of catalogue calls; each covers at most 1,000 merchants." }),
      price_note: z.string(),
      products: z.array(ProductShape),
    }),
    example: {
      query: "wool socks",
      country: "GB",
      currency: "GBP",
      shops_searched: 1,
      chunks: 1,
      price_note: "Prices as shown while browsing.",
      products: [
        {
          sku: "gid://shopify/ProductVariant/710031",
          product_id: "gid://shopify/Product/71003",
          title: "Wool socks",
          variant_title: "4-7",
          vendor: "Harbour Outfitters",
          price_minor: 1250,
          compare_at_minor: null,
          currency: "GBP",
          available: true,
          image_url: null,
          product_url: "https://harbour.example/products/wool-socks",
          merchant: BRIEF_EXAMPLE,
        },
      ],
    },
  },
  errors: ["missing_query", "unsupported_country", "catalog_unavailable"],
});

export const checkoutLookup = defineRoute({
  method: "GET",
  path: "/api/autofill/products/lookup",
  dialect: "native",
  summary: "Look up a product",
  description:
    "Returns the product at the URL of a Shopify product page. Send the URL exactly as copied, including `?variant=`. Never onboards a merchant.",
  movesMoney: false,
  query: z.object({ url: requiredText("The URL of the product page.") }),
  body: null,
  document: CheckoutProductLookupDocument,
  variables: ({ query }) => ({ url: query.url ?? "" }),
  fieldNames: {},
  toResponse({ productLookup: result }) {
    if (result.__typename !== "ProductLookupSuccess") return result;
    const { merchant, variantNote } = result;
    return {
      sku: result.sku,
      title: result.title,
      variant_title: result.variantTitle,
      price_minor: result.price.amountMinor,
      currency: result.price.currency,
      available: result.available,
      image_url: result.imageUrl,
      product_url: result.productUrl,
      merchant: merchant ? toMerchantBrief(merchant) : { name: result.shopName, domain: new URL(result.shopUrl).host },
      ...(merchant?.isOnboarded ? {} : { onboard: toOnboard(result.shopUrl) }),
      ...(variantNote === null ? {} : { variant_note: variantNote }),
      price_note: result.priceNote,
    };
  },
  success: {
    description: "The product.",
    schema: ProductShape.pick({
      sku: true,
      title: true,
      variant_title: true,
      price_minor: true,
      currency: true,
      available: true,
      image_url: true,
      product_url: true,
      onboard: true,
    }).extend({
      merchant: MerchantBriefShape.partial(),
      variant_note: z.string().optional().meta({ description: "The selected variant, if the URL specified none." }),
      price_note: z.string(),
    }),
    example: {
      sku: "gid://shopify/ProductVariant/710031",
      title: "Wool socks",
      variant_title: "4-7",
      price_minor: 1250,
      currency: "GBP",
      available: true,
      image_url: null,
      product_url: "https://harbour.example/products/wool-socks",
      merchant: BRIEF_EXAMPLE,
      variant_note: "The URL names no variant. Selected 4-7, the first available of 2.",
      price_note: "The price as shown while browsing.",
    },
  },
  errors: [
    "missing_url",
    "url_not_allowed",
    "not_a_product_url",
    "variant_not_found",
    "not_shopify",
    "catalog_unavailable",
  ],
});
