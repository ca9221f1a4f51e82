/** Exploration through Shopify's Storefront API, without a browser. */
import { code as currencyOf } from "currency-codes";
import type { Egress } from "../../platform/egress/egress.ts";
import { UrlNotAllowedError } from "../../platform/egress/errors.ts";
import { CatalogUnavailableError, NotShopifyError } from "../errors.ts";
import type { ExplorationRequest } from "../orders/request.ts";
import { readProducts, type StorefrontProduct } from "../storefront/products.ts";
import { readStore } from "../storefront/store.ts";
import { type FoundProduct, MAX_PRODUCTS } from "../worker-protocol/exploration.ts";
import type { ExploredMerchant } from "./save-exploration.ts";

const MAX_QUERY_LENGTH = 200;

/**
 * Reads a merchant and its products, including those that match the goal. Returns null if the site has no Storefront API, or
 * if the API does not respond and is not known to exist (`isKnown`).
 * @throws {UrlNotAllowedError | CatalogUnavailableError}
 */
export async function exploreStorefront(
  egress: Egress,
  { merchantUrl, goal }: Pick<ExplorationRequest, "merchantUrl" | "goal">,
  { isKnown }: { readonly isKnown: boolean },
): Promise<ExploredMerchant | null> {
  const { origin } = new URL(merchantUrl);
  try {
    const store = await readStore(egress, origin);
    const { currencyCode: currency, countryCode: country } = store.paymentSettings;
    if (currencyOf(currency) === undefined)
      throw new CatalogUnavailableError("The merchant returned an invalid response.");
    const matching = await readProducts(egress, origin, { query: goal.slice(0, MAX_QUERY_LENGTH), country });
    const others = await readProducts(egress, origin, { query: null, country });
    const byId = new Map([...matching, ...others].map((product) => [product.id, product]));
    return {
      ...{
        url: origin,
        rail: "shopify",
        name: store.name,
        currency,
        countryCode: country,
        shipsTo: store.shipsToCountries,
      },
      // Not part of the API response; quotes determine the pickup options.
      ...{ supportsPickup: false, taxPolicy: "unknown", logoUrl: null, recipe: null, isWhole: false },
      products: [...byId.values()].flatMap((product) => toFoundProducts(origin, product)).slice(0, MAX_PRODUCTS),
    };
  } catch (error) {
    if (error instanceof NotShopifyError) return null;
    if (!(error instanceof CatalogUnavailableError)) throw error;
    if (error.cause instanceof UrlNotAllowedError) throw error.cause;
    if (isKnown) throw error;
    return null;
  }
}

function toFoundProducts(origin: string, { id, handle, title, imageUrl, variants }: StorefrontProduct): FoundProduct[] {
  const page = `${origin}/products/${encodeURIComponent(handle)}`;
  return variants.map(({ sku, title: variantTitle, priceMinor, currency, available }) => ({
    ...{ sku, productId: id, title, variantTitle, priceMinor, currency, available, imageUrl },
    productUrl: `${page}?variant=${sku.slice(sku.lastIndexOf("/") + 1)}`,
  }));
}
