/** Products of the Storefront API, by handle, id or search. */
import { z } from "zod";
import type { Egress } from "../../platform/egress/egress.ts";
import { toMinor } from "../money.ts";
import { readQueryWords } from "../product-index/words.ts";
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
  /** Such as `Size: M`; for the only variant of a product without options `Title: Default Title`. */
  readonly options: readonly { readonly name: string; readonly value: string }[];
}

export interface StorefrontProduct {
  readonly id: string;
  readonly handle: string;
  readonly title: string;
  readonly vendor: string | null;
  readonly imageUrl: string | null;
  readonly variants: readonly StorefrontVariant[];
  /** Whether the product has further variants. */
  readonly hasMoreVariants: boolean;
}

/** Shopify's title for the only variant of a product without options. */
const DEFAULT_VARIANT_TITLE = "Default Title";
const MAX_PRODUCTS_READ = 50;
/** Shopify's largest page. */
const VARIANTS_PER_PAGE = 250;
/** Longer queries are cut off. */
const MAX_QUERY_LENGTH = 200;
/** Pages of the 2,048 variants that Shopify allows per product. */
const MAX_VARIANT_PAGES = 9;

const VARIANT_FIELDS = `id sku title availableForSale requiresShipping selectedOptions { name value }
  price { amount currencyCode } compareAtPrice { amount currencyCode }`;
const PRODUCT_FIELDS = "id handle title vendor featuredImage { url }";

const PRODUCT = `query Product($handle: String!, $after: String, $country: CountryCode!) @inContext(country: $country) {
  product(handle: $handle) { ${PRODUCT_FIELDS}
    variants(first: ${VARIANTS_PER_PAGE}, after: $after) { nodes { ${VARIANT_FIELDS} } pageInfo { hasNextPage endCursor } } }
}`;
const VARIANTS = `query Variants($ids: [ID!]!, $country: CountryCode!) @inContext(country: $country) {
  nodes(ids: $ids) { ... on ProductVariant { ${VARIANT_FIELDS} product { ${PRODUCT_FIELDS} } } }
}`;
const PRODUCTS = `query Products($first: Int!, $query: String, $country: CountryCode!) @inContext(country: $country) {
  products(first: $first, query: $query) { nodes { ${PRODUCT_FIELDS} variants(first: 20) { nodes { ${VARIANT_FIELDS} } pageInfo { hasNextPage endCursor } } } }
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
    selectedOptions: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
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
      options: it.selectedOptions,
    }),
  );
const pageInfo = z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() });
const variantPage = z.object({ nodes: z.array(variant), pageInfo });
const productPage = z.object({ product: product.extend({ variants: variantPage }).nullable() });
const productWithVariants = product
  .extend({ variants: variantPage })
  .transform(({ variants, ...rest }) => toProduct(rest, variants.nodes, variants.pageInfo.hasNextPage));

/**
 * Returns the product with this handle and all its variants; null if there is none.
 * @param country market; determines price and currency
 */
export async function readProduct(
  egress: Egress,
  storeUrl: string,
  { handle, country }: { readonly handle: string; readonly country: string },
): Promise<StorefrontProduct | null> {
  const variants: StorefrontVariant[] = [];
  let after: string | null = null;
  for (let pages = 1; ; pages += 1) {
    const request = { query: PRODUCT, variables: { handle, after, country }, schema: productPage };
    const read: z.output<typeof productPage> = await queryStorefront(egress, storeUrl, request);
    if (!read.product) return null;
    const { nodes, pageInfo: page } = read.product.variants;
    variants.push(...nodes);
    after = page.hasNextPage ? (page.endCursor ?? null) : null;
    if (after === null || pages === MAX_VARIANT_PAGES) return toProduct(read.product, variants, page.hasNextPage);
  }
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
      .transform((it) => ({ product: toProduct(it.product, [it], true), variant: it })),
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

/**
 * Returns products that match the words of a text, those that match all of them first. Returns any products if none matches.
 * @param country market; determines price and currency
 */
export async function findProductsByWords(
  egress: Egress,
  storeUrl: string,
  { text, country }: { readonly text: string; readonly country: string },
): Promise<readonly StorefrontProduct[]> {
  const distinctive = new Set(readQueryWords(text));
  const words = (text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).filter((word) =>
    readQueryWords(word).some((one) => distinctive.has(one)),
  );
  // A single word may be the merchant's own sku, such as `SO-M`.
  const skus = /^\S+$/.test(text) ? [text] : [];
  const queries = new Set(words.length > 0 ? [...skus, words.join(" "), words.join(" OR ")] : skus);
  for (const query of queries) {
    const found = await readProducts(egress, storeUrl, { query: query.slice(0, MAX_QUERY_LENGTH), country });
    if (found.length > 0) return found;
  }
  return await readProducts(egress, storeUrl, { query: null, country });
}

function toProduct(
  it: z.output<typeof product>,
  variants: readonly StorefrontVariant[],
  hasMoreVariants: boolean,
): StorefrontProduct {
  const { id, handle, title } = it;
  const imageUrl = it.featuredImage?.url ?? null;
  return { id, handle, title, vendor: it.vendor ?? null, imageUrl, variants, hasMoreVariants };
}
