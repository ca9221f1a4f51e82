import { findVariant, isAvailable } from "../carts.ts";
import { decimalOf, type Money } from "../money.ts";
import { moneyIn } from "../pricing.ts";
import type { Product, Shop, Variant } from "../shop.ts";
import { connection } from "./connection.ts";

/** Who asks, and where the shop is. */
export interface Visit {
  shop: Shop;
  url: string;
  /** Of the buyer: the `@inContext` directive's, else the shop's own. */
  country: string;
}

type Page = { first?: number | null; after?: string | null };

export const moneyNode = (money: Money) => ({ amount: decimalOf(money), currencyCode: money.currency });
export const gid = (kind: string, id: string | number) => `gid://shopify/${kind}/${id}`;

/** The number in an id of this kind, or undefined. */
export function numberIn(id: string, kind: string): number | undefined {
  const digits = new RegExp(`^gid://shopify/${kind}/(\\d{1,15})$`).exec(id)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

export function imageUrl(url: string, { handle }: Product): string {
  return `${url}/images/${handle}.svg`;
}

/** Every word somewhere in the title, the vendor, the type or the tags. No words match all. */
export function matches({ title, vendor, productType, tags }: Product, query: string): boolean {
  const text = [title, vendor, productType, ...tags].join(" ").toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

export function variantNode({ shop, url, country }: Visit, product: Product, variant: Variant) {
  const price = (amountMinor: number) => moneyNode(moneyIn(shop, country, amountMinor));
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
    product: () => productNode({ shop, url, country }, product),
  };
}

function productNode(visit: Visit, product: Product) {
  const prices = product.variants.map(({ priceMinor }) => priceMinor);
  const price = (amountMinor: number) => moneyNode(moneyIn(visit.shop, visit.country, amountMinor));
  const { handle, title, description, vendor, productType, tags } = product;
  return {
    __typename: "Product",
    id: gid("Product", product.id),
    ...{ handle, title, description, vendor, productType, tags },
    availableForSale: product.variants.some(isAvailable),
    onlineStoreUrl: `${visit.url}/products/${handle}`,
    featuredImage: { url: imageUrl(visit.url, product), altText: title },
    priceRange: { minVariantPrice: price(Math.min(...prices)), maxVariantPrice: price(Math.max(...prices)) },
    variants: (page: Page) =>
      connection(
        product.variants.map((variant) => variantNode(visit, product, variant)),
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

/** The shop and what it sells: all of the Storefront API that needs no cart. */
export function catalogueFields(visit: Visit) {
  const { shop, url } = visit;
  const found = (query: string) =>
    shop.products.filter((product) => matches(product, query)).map((product) => productNode(visit, product));
  function node(id: string) {
    const product = shop.products.find((one) => one.id === numberIn(id, "Product"));
    if (product) return productNode(visit, product);
    const known = findVariant(shop, numberIn(id, "ProductVariant") ?? -1);
    return known ? variantNode(visit, known.product, known.variant) : null;
  }

  return {
    shop: () => ({
      id: gid("Shop", shop.products[0]?.id ?? 0),
      name: shop.title,
      description: shop.slogan,
      primaryDomain: { host: new URL(url).host, url, sslEnabled: false },
      shipsToCountries: shop.shipsTo,
      paymentSettings: {
        currencyCode: shop.currency,
        countryCode: shop.country,
        acceptedCardBrands: ["VISA", "MASTERCARD", "AMERICAN_EXPRESS"],
        enabledPresentmentCurrencies: [
          ...new Set([shop.currency, ...Object.values(shop.markets).map(({ currency }) => currency)]),
        ],
      },
    }),
    publicApiVersions: VERSIONS,
    product({ handle, id }: { handle?: string | null; id?: string | null }) {
      const product = shop.products.find((one) => one.handle === handle || one.id === numberIn(id ?? "", "Product"));
      return product ? productNode(visit, product) : null;
    },
    products: ({ query, ...page }: Page & { query?: string | null }) => connection(found(query ?? ""), page),
    search: ({ query, types, ...page }: Page & { query: string; types?: string[] | null }) =>
      connection(types && !types.includes("PRODUCT") ? [] : found(query), page),
    node: ({ id }: { id: string }) => node(id),
    nodes: ({ ids }: { ids: string[] }) => ids.map(node),
  };
}
