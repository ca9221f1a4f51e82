import { z } from "zod";
import { CheckoutMerchantDocument, CheckoutMerchantsDocument } from "../../generated/graphql.ts";
import { idOrNone, toGlobalId } from "../../parameters.ts";
import { defineRoute } from "../../route.ts";
import { MERCHANT_EXAMPLE, MerchantShape, toMerchant } from "./shapes.ts";

export const checkoutMerchants = defineRoute({
  method: "GET",
  path: "/api/autofill/merchants",
  dialect: "native",
  summary: "List merchants",
  description: "Returns up to 50 merchants that support checkout, ordered by name.",
  movesMoney: false,
  query: z.object({ q: z.string().optional().meta({ description: "Words to find in the name or domain." }) }),
  body: null,
  document: CheckoutMerchantsDocument,
  variables: ({ query }) => ({ q: query.q ?? null }),
  fieldNames: {},
  toResponse: ({ merchants }, { q }) =>
    merchants && { merchants: merchants.edges.map(({ node }) => toMerchant(node)), query: q ?? null },
  success: {
    description: "The merchants.",
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
  summary: "Get a merchant",
  description: "Returns a merchant with its last known catalogue, if it has one.",
  movesMoney: false,
  pathParameters: z.object({
    id: z.string().transform(idOrNone).meta({ description: "The merchant's `id`." }),
  }),
  query: z.object({}),
  body: null,
  document: CheckoutMerchantDocument,
  variables: ({ path }) => ({ id: toGlobalId("Merchant", path["id"]) }),
  fieldNames: {},
  toResponse({ merchant }) {
    if (!merchant?.isOnboarded)
      return { code: "not_found", message: "Merchant not found.", __typename: "NotFoundError" };
    const catalogue = merchant.catalogue.map((entry) => ({
      sku: entry.sku,
      title: entry.title,
      variant_title: entry.variantTitle,
      price_minor: entry.price.amountMinor,
      currency: entry.price.currency,
      available: entry.available,
      image_url: entry.imageUrl,
      product_url: entry.productUrl,
    }));
    return { ...toMerchant(merchant), ...(merchant.catalogueUpdatedAt === null ? {} : { catalogue }) };
  },
  success: {
    description: "The merchant.",
    schema: MerchantShape.extend({ catalogue: z.array(CatalogueEntryShape).optional() }),
    example: MERCHANT_EXAMPLE,
  },
  errors: ["not_found"],
});
