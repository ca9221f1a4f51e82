import { findVariant, isAvailable } from "../carts.ts";
import type { Product, Store, Variant } from "../definition.ts";
import { decimalOf, type Money } from "../money.ts";
import { moneyIn } from "../pricing.ts";
import { connection } from "./connection.ts";

/** Context of a Storefront API request. */
export interface StorefrontContext {
  store: Store;
  url: string;
  /** The buyer's country from the `@inContext` directive, otherwise the store's. */
  country: string;
}

type Page = { first?: number | null; after?: string | null };

export const moneyNode = (money: Money) => ({ amount: decimalOf(money), currencyCode: money.currency });
export const gid = (kind: string, id: string | number) => `gid://shopify/${kind}/${id}`;

/** Returns the number in a global id of this kind, or undefined. */
export function numberIn(id: string, kind: string): number | undefined {
  const digits = new RegExp(`^gid://shopify/${kind}/(\\d{1,15})$`).exec(id)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

export function imageUrl(url: string, { handle }: Product): string {
  return `${url}/images/${handle}.svg`;
}

/**
 * Whether every word of one alternative of the query, separated by `OR`, occurs in the title, vendor, type or tags. An empty
 * query matches everything.
 */
export function matches({ title, vendor, productType, tags }: Product, query: string): boolean {
  const text = [title, vendor, productType, ...tags].join(" ").toLowerCase();
  return query.split(" OR ").some((part) =>
    part
      .toLowerCase()
      .split(/\s+/)
      .every((word) => text.includes(word)),
  );
}

export function variantNode({ store, url, country }: StorefrontContext, product: Product, variant: Variant) {
  const price = (amountMinor: number) => moneyNode(moneyIn(store, country, amountMinor));
  return {
    __typename: "ProductVariant",
    id: gid("ProductVariant", variant.id),
    sku: variant.sku,
    title: variant.title,
    availableForSale: isAvailable(variant),
    currentlyNotInStock: false,
    requiresShipping: variant.requiresShipping,
    taxable: variant.taxable,
    price: price(variant.priceMinor),
    compareAtPrice: variant.compareAtMinor === null ? null : price(variant.compareAtMinor),
    selectedOptions: variant.options,
    image: { url: imageUrl(url, product), altText: product.title },
    product: () => productNode({ store, url, country }, product),
  };
}

function productNode(context: StorefrontContext, product: Product) {
  const prices = product.variants.map(({ priceMinor }) => priceMinor);
  const price = (amountMinor: number) => moneyNode(moneyIn(context.store, context.country, amountMinor));
  const { handle, title, description, vendor, productType, tags } = product;
  return {
    __typename: "Product",
    id: gid("Product", product.id),
    ...{ handle, title, description, vendor, productType, tags },
    availableForSale: product.variants.some(isAvailable),
    onlineStoreUrl: `${context.url}/products/${handle}`,
    featuredImage: { url: imageUrl(context.url, product), altText: title },
    priceRange: { minVariantPrice: price(Math.min(...prices)), maxVariantPrice: price(Math.max(...prices)) },
    variants: (page: Page) =>
      connection(
        product.variants.map((variant) => variantNode(context, product, variant)),
        page,
      ),
  };
}

const VERSIONS = [
  { handle: "2026-07", displayName: "2026-07", supported: true },
  { handle: "2026-10", displayName: "2026-10 (Latest)", supported: true },
  { handle: "2027-01", displayName: "2027-01 (Release candidate)", supported: false },
  { handle: "unstable", displayName: "unstable", supported: false },
];
export const VERSION_HANDLES = VERSIONS.map(({ handle }) => handle);

/** Store and product fields: the parts of the Storefront API that require no cart. */
export function catalogueFields(context: StorefrontContext) {
  const { store, url } = context;
  const found = (query: string) =>
    store.products.filter((product) => matches(product, query)).map((product) => productNode(context, product));
  function node(id: string) {
    const product = store.products.find((one) => one.id === numberIn(id, "Product"));
    if (product) return productNode(context, product);
    const known = findVariant(store, numberIn(id, "ProductVariant") ?? -1);
    return known ? variantNode(context, known.product, known.variant) : null;
  }

  return {
    shop: () => ({
      id: gid("Shop", store.products[0]?.id ?? 0),
      name: store.title,
      description: store.slogan,
      primaryDomain: { host: new URL(url).host, url, sslEnabled: false },
      shipsToCountries: store.shipsTo,
      paymentSettings: {
        currencyCode: store.currency,
        countryCode: store.country,
        acceptedCardBrands: ["VISA", "MASTERCARD", "AMERICAN_EXPRESS"],
        enabledPresentmentCurrencies: [
          ...new Set([store.currency, ...Object.values(store.markets).map(({ currency }) => currency)]),
        ],
      },
    }),
    localization: () => ({
      availableCountries: store.shipsTo.map((isoCode) => ({
        isoCode,
        currency: { isoCode: moneyIn(store, isoCode, 0).currency },
      })),
    }),
    publicApiVersions: VERSIONS,
    product({ handle, id }: { handle?: string | null; id?: string | null }) {
      const product = store.products.find((one) => one.handle === handle || one.id === numberIn(id ?? "", "Product"));
      return product ? productNode(context, product) : null;
    },
    products: ({ query, ...page }: Page & { query?: string | null }) => connection(found(query ?? ""), page),
    search: ({ query, types, ...page }: Page & { query: string; types?: string[] | null }) =>
      connection(types && !types.includes("PRODUCT") ? [] : found(query), page),
    node: ({ id }: { id: string }) => node(id),
    nodes: ({ ids }: { ids: string[] }) => ids.map(node),
  };
}
