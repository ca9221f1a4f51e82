/** Product search over the approved pool and the merchants that the account explored (spec section 4.8, rule 5). */
import type { Merchant } from "../../../generated/prisma/client.ts";
import { requireAccount, type Viewer } from "../../accounts/viewer.ts";
import { InvalidRequestError } from "../../platform/errors.ts";
import type { PricingDeps } from "../deps.ts";
import { CatalogUnavailableError, MissingQueryError, UnsupportedCountryError } from "../errors.ts";
import { currentFilter } from "../merchants/merchants.ts";
import { MARKET_CURRENCIES, SEARCH_MARKETS } from "../product-index/search-markets.ts";
import {
  type Catalogue,
  type CatalogueProduct,
  type CatalogueQuery,
  type CatalogueResponse,
  MAX_MERCHANTS_PER_CALL,
} from "./catalogue.ts";

export const DEFAULT_SEARCH_LIMIT = 20;
export const MAX_SEARCH_LIMIT = 100;
const MAX_QUERY_LENGTH = 200;
const MAX_CONCURRENT_CALLS = 4;
const PRICE_NOTE =
  "Prices as shown while browsing, without delivery, and without tax if the merchant adds it at checkout.";

const NOT_COVERED =
  "No merchant's catalogue is current, so the products are unknown. Nothing was found or ruled out. Retry in a minute.";

export interface FoundProduct extends Omit<CatalogueProduct, "shop" | "tier"> {
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
 * Searches the products of all merchants in the pool, and of those that the account explored. A merchant without a current
 * catalogue is not covered.
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
  const currency = Object.hasOwn(MARKET_CURRENCIES, country) ? MARKET_CURRENCIES[country] : undefined;
  if (currency === undefined) throw new UnsupportedCountryError(SEARCH_MARKETS);
  const limit = input.limit ?? DEFAULT_SEARCH_LIMIT;
  if (limit < 1 || limit > MAX_SEARCH_LIMIT) {
    throw new InvalidRequestError(`limit must be from 1 to ${MAX_SEARCH_LIMIT}.`, "limit");
  }
  const { catalogue } = deps.checkout;
  const searched = {
    rail: { in: [...catalogue.rails] },
    ...(input.merchantId === null ? {} : { id: input.merchantId }),
  };
  const merchants = await deps.db.prisma.merchant.findMany({
    where: { ...searched, ...currentFilter(accountId) },
    // A pooled merchant replaces the account's own record of the same host.
    orderBy: [{ pooledDomain: { sort: "desc", nulls: "first" } }, { domain: "asc" }],
  });
  const byDomain = new Map(merchants.map((merchant) => [merchant.domain, merchant]));
  const chunks = splitIntoChunks([...byDomain.keys()], MAX_MERCHANTS_PER_CALL);
  const responses = await searchChunks(catalogue, chunks, { query, country, currency, limit });
  const shopsSearched = responses.reduce((sum, response) => sum + response.shopsSearched, 0);
  if (byDomain.size > 0 && shopsSearched === 0) throw new CatalogUnavailableError(NOT_COVERED);
  const products = selectBestTier(responses.flatMap((response) => response.products))
    .flatMap(({ shop, tier: _tier, ...product }) => {
      const merchant = byDomain.get(shop);
      return merchant ? [{ ...product, merchant }] : [];
    })
    .toSorted(compareBy(currency))
    .slice(0, limit);
  return { query, country, currency, shopsSearched, chunks: chunks.length, priceNote: PRICE_NOTE, products };
}

/** Calls the catalogue for each chunk. Fails if any call fails, because a partial result would look complete. */
async function searchChunks(
  catalogue: Catalogue,
  chunks: readonly (readonly string[])[],
  query: Omit<CatalogueQuery, "shops">,
): Promise<CatalogueResponse[]> {
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

/** Omits products whose words match worse than those of an available product. */
function selectBestTier(found: readonly CatalogueProduct[]): CatalogueProduct[] {
  const best = Math.min(...found.filter(({ available }) => available).map(({ tier }) => tier));
  return found.filter(({ tier }) => tier <= best);
}

/** Sorts products in a currency other than the market's last, because their prices are not comparable. */
function compareBy(currency: string) {
  return (one: FoundProduct, other: FoundProduct) =>
    Number(other.available) - Number(one.available) ||
    Number(other.currency === currency) - Number(one.currency === currency) ||
    one.priceMinor - other.priceMinor ||
    compareText(one.sku, other.sku) ||
    compareText(one.productUrl, other.productUrl);
}

/** Compares by code units, as the catalogue does, so that a smaller limit returns the beginning of the same list. */
const compareText = (one: string, other: string) => (one < other ? -1 : Number(one > other));
