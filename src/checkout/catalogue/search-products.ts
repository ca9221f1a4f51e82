/** Product search over the approved pool and the merchants that the account explored (spec section 4.8, rule 5). */
import type { Merchant } from "../../../generated/prisma/client.ts";
import { requireAccount, type Viewer } from "../../accounts/viewer.ts";
import { InvalidRequestError } from "../../platform/errors.ts";
import type { PricingDeps } from "../deps.ts";
import { CatalogUnavailableError, MissingQueryError, UnsupportedCountryError } from "../errors.ts";
import { currentFilter } from "../merchants/merchants.ts";
import { toMinor } from "../money.ts";
import { type CatalogueProduct, type CatalogueResponse, MAX_MERCHANTS_PER_CALL } from "./catalogue.ts";

/** Searchable markets and their currencies. */
const CURRENCIES: Readonly<Record<string, string>> = { US: "USD", GB: "GBP", CA: "CAD", AU: "AUD" };
export const SEARCH_COUNTRIES = Object.keys(CURRENCIES);
export const DEFAULT_SEARCH_LIMIT = 20;
export const MAX_SEARCH_LIMIT = 100;
const MAX_QUERY_LENGTH = 200;
const MAX_CONCURRENT_CALLS = 4;
const PRICE_NOTE =
  "Prices as shown while browsing, without delivery, and without tax if the merchant adds it at checkout.";

export interface FoundProduct {
  readonly sku: string;
  readonly productId: string;
  readonly title: string;
  readonly variantTitle: string | null;
  readonly vendor: string | null;
  readonly priceMinor: number;
  readonly compareAtMinor: number | null;
  readonly currency: string;
  readonly available: boolean;
  readonly imageUrl: string | null;
  readonly productUrl: string;
  readonly merchant: Merchant;
}

export interface ProductSearch {
  readonly query: string;
  readonly country: string;
  readonly currency: string;
  readonly shopsSearched: number;
  /** Number of catalogue calls; each covers at most 1,000 merchants. */
  readonly chunks: number;
  readonly priceNote: string;
  /** Available products first, then cheapest first. */
  readonly products: readonly FoundProduct[];
}

/**
 * Searches the products of all Shopify merchants in the pool, and of those that the account explored.
 * @throws {MissingQueryError | UnsupportedCountryError | CatalogUnavailableError | InvalidRequestError}
 */
export async function searchProducts(
  deps: PricingDeps,
  viewer: Viewer | null,
  input: {
    readonly query: string;
    readonly country: string;
    readonly limit: number | null;
    /** Null: all merchants. */
    readonly merchantId: string | null;
  },
): Promise<ProductSearch> {
  const { accountId } = requireAccount(viewer);
  const query = input.query.trim();
  if (query === "") throw new MissingQueryError();
  if (query.length > MAX_QUERY_LENGTH)
    throw new InvalidRequestError(`q must have at most ${MAX_QUERY_LENGTH} characters.`, "q");
  const country = input.country.trim().toUpperCase();
  const currency = Object.hasOwn(CURRENCIES, country) ? CURRENCIES[country] : undefined;
  if (currency === undefined) throw new UnsupportedCountryError(SEARCH_COUNTRIES);
  const limit = input.limit ?? DEFAULT_SEARCH_LIMIT;
  if (limit < 1 || limit > MAX_SEARCH_LIMIT) {
    throw new InvalidRequestError(`limit must be from 1 to ${MAX_SEARCH_LIMIT}.`, "limit");
  }
  const searched = { rail: "shopify", ...(input.merchantId === null ? {} : { id: input.merchantId }) };
  const merchants = await deps.db.prisma.merchant.findMany({
    where: { ...searched, ...currentFilter(accountId) },
    // A pooled merchant replaces the account's own record of the same host.
    orderBy: [{ pooledDomain: { sort: "desc", nulls: "first" } }, { domain: "asc" }],
  });
  const byDomain = new Map(merchants.map((merchant) => [merchant.domain, merchant]));
  const chunks = splitIntoChunks([...byDomain.keys()], MAX_MERCHANTS_PER_CALL);
  const responses = await searchChunks(deps, chunks, { query, country, limit });
  const products = responses
    .flatMap((response) => response.products)
    .flatMap((product) => toFoundProduct(product, byDomain.get(product.shop.toLowerCase())))
    .toSorted(compareBy(currency))
    .slice(0, limit);
  const shopsSearched = responses.reduce((sum, response) => sum + response.shops_searched, 0);
  return { query, country, currency, shopsSearched, chunks: chunks.length, priceNote: PRICE_NOTE, products };
}

/** Calls the catalogue for each chunk. Fails if any call fails, because a partial result would look complete. */
async function searchChunks(
  { checkout: { catalogue } }: PricingDeps,
  chunks: readonly (readonly string[])[],
  query: { readonly query: string; readonly country: string; readonly limit: number },
): Promise<CatalogueResponse[]> {
  if (!catalogue) throw new CatalogUnavailableError("This installation has no product catalogue.");
  const responses: CatalogueResponse[] = [];
  for (let i = 0; i < chunks.length; i += MAX_CONCURRENT_CALLS) {
    const calls = chunks.slice(i, i + MAX_CONCURRENT_CALLS).map((shops) => catalogue.search({ ...query, shops }));
    responses.push(...(await Promise.all(calls)));
  }
  return responses;
}

function splitIntoChunks(domains: readonly string[], size: number): string[][] {
  return Array.from({ length: Math.ceil(domains.length / size) }, (_, i) => domains.slice(i * size, (i + 1) * size));
}

/**
 * Returns the product with its best variant: available first, then cheapest. Returns an empty array for a merchant
 * outside the search or a product without a valid price.
 */
function toFoundProduct(product: CatalogueProduct, merchant: Merchant | undefined): FoundProduct[] {
  if (!merchant) return [];
  const { product_id: productId, title, currency, product_url: productUrl } = product;
  const variants = product.variants.flatMap((variant) => {
    const priceMinor = toMinor(variant.price, currency);
    return priceMinor === null ? [] : [{ ...variant, priceMinor }];
  });
  const [best] = variants.toSorted(
    (one, other) => Number(other.available) - Number(one.available) || one.priceMinor - other.priceMinor,
  );
  if (!best) return [];
  return [
    {
      sku: best.id,
      productId,
      title,
      variantTitle: best.title === "Default Title" ? null : best.title,
      vendor: product.vendor ?? null,
      priceMinor: best.priceMinor,
      compareAtMinor: best.compare_at_price ? toMinor(best.compare_at_price, currency) : null,
      currency,
      available: best.available,
      imageUrl: product.image_url ?? null,
      productUrl,
      merchant,
    },
  ];
}

/** Sorts products in a currency other than the market's last, because their prices are not comparable. */
function compareBy(currency: string) {
  return (one: FoundProduct, other: FoundProduct) =>
    Number(other.available) - Number(one.available) ||
    Number(other.currency === currency) - Number(one.currency === currency) ||
    one.priceMinor - other.priceMinor ||
    one.sku.localeCompare(other.sku);
}
