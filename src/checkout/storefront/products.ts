/** Products of the Storefront API, by handle, id or search. */
import { z } from "zod";
import type { Egress } from "../../platform/egress/egress.ts";
import { toMinor } from "../money.ts";
import { queryStorefront } from "./client.ts";

/** A variant with its price for one country. */
export interface StorefrontVariant {
  /** `gid://shopify/ProductVariant/…`, the id used in carts. */
  readonly sku: string;
  /** The merchant's own sku. */
  readonly merchantSku: string | null;
  readonly title: string | null;
  readonly priceMinor: number;
  readonly compareAtMinor: number | null;
  readonly currency: string;
  readonly available: boolean;
  readonly requiresShipping: boolean;
}

export interface StorefrontProduct {
  readonly id: string;
  readonly handle: string;
  readonly title: string;
  readonly vendor: string | null;
  readonly imageUrl: string | null;
  readonly variants: readonly StorefrontVariant[];
}

/** Shopify's title for the only variant of a product without options. */
const DEFAULT_VARIANT_TITLE = "Default Title";
const MAX_PRODUCTS_READ = 50;

const VARIANT_FIELDS =
  "id sku title availableForSale requiresShipping price { amount currencyCode } compareAtPrice { amount currencyCode }";
const PRODUCT_FIELDS = "id handle title vendor featuredImage { url }";

const PRODUCT = `query Product($handle: String!, $country: CountryCode!) @inContext(country: $country) {
  product(handle: $handle) { ${PRODUCT_FIELDS} variants(first: 100) { nodes { ${VARIANT_FIELDS} } } }
}`;
const VARIANTS = `query Variants($ids: [ID!]!, $country: CountryCode!) @inContext(country: $country) {
  nodes(ids: $ids) { ... on ProductVariant { ${VARIANT_FIELDS} product { ${PRODUCT_FIELDS} } } }
}`;
const PRODUCTS = `query Products($first: Int!, $query: String, $country: CountryCode!) @inContext(country: $country) {
  products(first: $first, query: $query) { nodes { ${PRODUCT_FIELDS} variants(first: 20) { nodes { ${VARIANT_FIELDS} } } } }
}`;

const money = z
  .object({ amount: z.string(), currencyCode: z.string() })
  .transform(({ amount, currencyCode }, context) => {
    const amountMinor = toMinor(amount, currencyCode);
    if (amountMinor !== null) return { amountMinor, currency: currencyCode };
    context.addIssue({ code: "custom", message: "is not a valid amount" });
    return z.NEVER;
  });
/** Prices of the Storefront API, converted without rounding. */
export const moneySchema = money;

const product = z.object({
  id: z.string(),
  handle: z.string(),
  title: z.string(),
  vendor: z.string().nullish(),
  featuredImage: z.object({ url: z.string() }).nullish(),
});
const variant = z
  .object({
    id: z.string(),
    sku: z.string().nullish(),
    title: z.string(),
    availableForSale: z.boolean(),
    requiresShipping: z.boolean(),
    price: money,
    compareAtPrice: money.nullish(),
  })
  .transform(
    (it): StorefrontVariant => ({
      sku: it.id,
      merchantSku: it.sku ?? null,
      title: it.title === DEFAULT_VARIANT_TITLE ? null : it.title,
      priceMinor: it.price.amountMinor,
      compareAtMinor: it.compareAtPrice?.amountMinor ?? null,
      currency: it.price.currency,
      available: it.availableForSale,
      requiresShipping: it.requiresShipping,
    }),
  );
const productWithVariants = product
  .extend({ variants: z.object({ nodes: z.array(variant) }) })
  .transform(({ variants, ...rest }) => toProduct(rest, variants.nodes));

/** Returns the product with this handle; null if there is none. @param country market; determines price and currency */
export async function readProduct(
  egress: Egress,
  storeUrl: string,
  { handle, country }: { readonly handle: string; readonly country: string },
): Promise<StorefrontProduct | null> {
  const schema = z.object({ product: productWithVariants.nullable() });
  return (await queryStorefront(egress, storeUrl, { query: PRODUCT, variables: { handle, country }, schema })).product;
}

/** Returns each variant with its product, in the order of `skus`; null for unknown variants. */
export async function readVariants(
  egress: Egress,
  storeUrl: string,
  { skus, country }: { readonly skus: readonly string[]; readonly country: string },
): Promise<({ readonly product: StorefrontProduct; readonly variant: StorefrontVariant } | null)[]> {
  const node = z.union([
    z
      .intersection(variant, z.object({ product }))
      .transform((it) => ({ product: toProduct(it.product, [it]), variant: it })),
    z.object({}).transform(() => null),
    z.null(),
  ]);
  const schema = z.object({ nodes: z.array(node).length(skus.length) });
  return (await queryStorefront(egress, storeUrl, { query: VARIANTS, variables: { ids: skus, country }, schema }))
    .nodes;
}

/** Returns up to 50 products that match the query, or any products if `query` is null. */
export async function readProducts(
  egress: Egress,
  storeUrl: string,
  { query, country }: { readonly query: string | null; readonly country: string },
): Promise<readonly StorefrontProduct[]> {
  const schema = z.object({ products: z.object({ nodes: z.array(productWithVariants) }) });
  const variables = { first: MAX_PRODUCTS_READ, query, country };
  return (await queryStorefront(egress, storeUrl, { query: PRODUCTS, variables, schema })).products.nodes;
}

function toProduct(it: z.output<typeof product>, variants: readonly StorefrontVariant[]): StorefrontProduct {
  const { id, handle, title } = it;
  return { id, handle, title, vendor: it.vendor ?? null, imageUrl: it.featuredImage?.url ?? null, variants };
}
