import { z } from "zod";
import { CheckoutProductLookupDocument, CheckoutProductSearchDocument } from "../../generated/graphql.ts";
import { neededText, wholeNumber } from "../../parameters.ts";
import { defineRoute } from "../../route.ts";
import { briefOf, MERCHANT_EXAMPLE, MerchantBriefShape, OnboardShape, onboardOf } from "./shapes.ts";

const { id, name, domain, rail, is_test } = MERCHANT_EXAMPLE;
const BRIEF_EXAMPLE = { id, name, domain, rail, is_test };

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
    "Finds products over all shops of the approved pool: what can be bought first, then the cheapest. A product with `onboard` is at a shop never bought from: explore it before asking for a quote.",
  scope: "payments:sign",
  movesMoney: false,
  query: z.object({
    q: neededText("What to look for."),
    country: neededText("The market: `US`, `GB`, `CA` or `AU`."),
    limit: wholeNumber({ min: 1, max: 100, default: 20 }, "How many.").optional(),
  }),
  body: null,
  document: CheckoutProductSearchDocument,
  variables: ({ query }) => ({ q: query.q ?? "", country: query.country ?? "", limit: query.limit ?? 20 }),
  fieldNames: {},
  answer({ productSearch: result }) {
    if (result.__typename !== "ProductSearchSuccess") return result;
    const { query, country, currency, shopsSearched, chunks, priceNote } = result;
    const products = result.products.map((product) => ({
      sku: product.sku,
      product_id: product.productId,
      title: product.title,
      variant_title: product.variantTitle,
      vendor: product.vendor,
      price_minor: product.priceMinor,
      compare_at_minor: product.compareAtMinor,
      currency: product.currency,
      available: product.available,
      image_url: product.imageUrl,
      product_url: product.productUrl,
      merchant: briefOf(product.merchant),
      ...(product.merchant.isOnboarded ? {} : { onboard: onboardOf(product.merchant.url) }),
    }));
    return { query, country, currency, shops_searched: shopsSearched, chunks, price_note: priceNote, products };
  },
  success: {
    description: "What was found.",
    schema: z.object({
      query: z.string(),
      country: z.string(),
      currency: z.string(),
      shops_searched: z.int(),
      chunks: z.int().meta({ description: "Calls to the catalogue: each covers 1,000 shops at most." }),
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
  summary: "Look a product up",
  description:
    "Reads a product from its page's address at a Shopify shop. Send the address exactly as copied, with its `?variant=`. Onboards nobody.",
  scope: "payments:sign",
  movesMoney: false,
  query: z.object({ url: neededText("The product page's address.") }),
  body: null,
  document: CheckoutProductLookupDocument,
  variables: ({ query }) => ({ url: query.url ?? "" }),
  fieldNames: {},
  answer({ productLookup: result }) {
    if (result.__typename !== "ProductLookupSuccess") return result;
    const { merchant, variantNote } = result;
    return {
      sku: result.sku,
      title: result.title,
      variant_title: result.variantTitle,
      price_minor: result.priceMinor,
      currency: result.currency,
      available: result.available,
      image_url: result.imageUrl,
      product_url: result.productUrl,
      merchant: merchant ? briefOf(merchant) : { name: result.shopName, domain: new URL(result.shopUrl).host },
      ...(merchant?.isOnboarded ? {} : { onboard: onboardOf(result.shopUrl) }),
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
      variant_note: z.string().optional().meta({ description: "Which variant was taken where the link named none." }),
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
      variant_note: "The link names no variant: this is 4-7, the first that can be bought of 2.",
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
