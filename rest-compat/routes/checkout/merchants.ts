import { z } from "zod";
import { CheckoutMerchantDocument, CheckoutMerchantsDocument } from "../../generated/graphql.ts";
import { knownForm } from "../../parameters.ts";
import { defineRoute } from "../../route.ts";
import { MERCHANT_EXAMPLE, MerchantShape, merchantOf } from "./shapes.ts";

export const checkoutMerchants = defineRoute({
  method: "GET",
  path: "/api/autofill/merchants",
  dialect: "native",
  summary: "Shops to buy from",
  description: "Shops that can be bought from, by name; 50 at most.",
  scope: "payments:sign",
  movesMoney: false,
  query: z.object({ q: z.string().optional().meta({ description: "Words in the name or the domain." }) }),
  body: null,
  document: CheckoutMerchantsDocument,
  variables: ({ query }) => ({ q: query.q ?? null }),
  fieldNames: {},
  answer: ({ merchants }, { q }) =>
    merchants && { merchants: merchants.edges.map(({ node }) => merchantOf(node)), query: q ?? null },
  success: {
    description: "The shops.",
    schema: z.object({ merchants: z.array(MerchantShape), query: z.string().nullable() }),
    example: { merchants: [MERCHANT_EXAMPLE], query: "harbour" },
  },
  errors: [],
});

const CatalogueEntryShape = z.object({
  sku: z.string(),
  title: z.string(),
  variant_title: z.string().nullable(),
  price_minor: z.int(),
  currency: z.string(),
  available: z.boolean(),
  image_url: z.string().nullable(),
  product_url: z.string(),
});

export const checkoutMerchant = defineRoute({
  method: "GET",
  path: "/api/autofill/merchants/{id}",
  dialect: "native",
  summary: "One shop",
  description: "A shop, with its catalogue as last read when it has one.",
  scope: "payments:sign",
  movesMoney: false,
  pathParameters: z.object({
    id: z.string().transform(knownForm).meta({ description: "The shop's `id`." }),
  }),
  query: z.object({}),
  body: null,
  document: CheckoutMerchantDocument,
  variables: ({ path }) => ({ merchantId: path["id"] ?? "" }),
  fieldNames: { merchantId: "id" },
  answer({ merchant }) {
    if (!merchant) return { code: "not_found", message: "There is no such merchant.", __typename: "NotFoundError" };
    const catalogue = merchant.catalogue.map((entry) => ({
      sku: entry.sku,
      title: entry.title,
      variant_title: entry.variantTitle,
      price_minor: entry.priceMinor,
      currency: entry.currency,
      available: entry.available,
      image_url: entry.imageUrl,
      product_url: entry.productUrl,
    }));
    return { ...merchantOf(merchant), ...(merchant.catalogueUpdatedAt === null ? {} : { catalogue }) };
  },
  success: {
    description: "The shop.",
    schema: MerchantShape.extend({ catalogue: z.array(CatalogueEntryShape).optional() }),
    example: MERCHANT_EXAMPLE,
  },
  errors: ["not_found"],
});
