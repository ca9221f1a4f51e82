/** Exploration through Shopify's Storefront API, without a browser. */
import { code as currencyOf } from "currency-codes";
import type { Egress } from "../../platform/egress/egress.ts";
import { UrlNotAllowedError } from "../../platform/egress/errors.ts";
import { CatalogUnavailableError, NotShopifyError } from "../errors.ts";
import type { ExplorationRequest } from "../orders/request.ts";
import { readQueryWords, readWords } from "../product-index/words.ts";
import { compareWords } from "../quote/compare-words.ts";
import { findMarket } from "../storefront/market.ts";
import {
  findProductsByWords,
  readProduct,
  readProducts,
  type StorefrontProduct,
  type StorefrontVariant,
} from "../storefront/products.ts";
import { readStore } from "../storefront/store.ts";
import { type FoundProduct, MAX_PRODUCTS } from "../worker-protocol/exploration.ts";
import { findPickup } from "./find-pickup.ts";
import { readTaxPolicy } from "./read-tax-policy.ts";
import type { ExploredMerchant } from "./save-exploration.ts";

/** Maximum number of variants of the best match, so that other products remain within the limit. */
const MAX_VARIANTS = 50;

/**
 * Reads a merchant and its products, including those that match the goal. Prices are in the preferred currency if the merchant
 * has a market with it. Returns null if the site has no Storefront API, or
 * if the API does not respond and is not known to exist (`isKnown`).
 * @throws {UrlNotAllowedError | CatalogUnavailableError}
 */
export async function exploreStorefront(
  egress: Egress,
  { merchantUrl, goal, currency: preferredCurrency }: Pick<ExplorationRequest, "merchantUrl" | "goal" | "currency">,
  { isKnown }: { readonly isKnown: boolean },
): Promise<ExploredMerchant | null> {
  const { origin } = new URL(merchantUrl);
  try {
    const store = await readStore(egress, origin);
    const { currencyCode: currency, countryCode: country } = store.paymentSettings;
    if (currencyOf(currency) === undefined)
      throw new CatalogUnavailableError("The merchant returned an invalid response.");
    const market = await findMarket(egress, origin, { store, currency: preferredCurrency });
    const matching = await findProductsByWords(egress, origin, { text: goal, country: market });
    const others = await readProducts(egress, origin, { query: null, country: market });
    const best = matching[0] && (await readBestVariants(egress, origin, { product: matching[0], goal, market }));
    const byId = new Map([...matching, ...others, ...(best ? [best] : [])].map((product) => [product.id, product]));
    const products = [...byId.values()].flatMap((product) => toFoundProducts(origin, product)).slice(0, MAX_PRODUCTS);
    const pages = [...products.slice(0, 1).map(({ productUrl }) => productUrl), merchantUrl];
    const [supportsPickup, taxPolicy] = await Promise.all([
      findPickup(egress, origin, { products, country }),
      readTaxPolicy(egress, pages),
    ]);
    return {
      ...{
        url: origin,
        rail: "shopify",
        name: store.name,
        currency,
        countryCode: country,
        shipsTo: store.shipsToCountries,
      },
      ...{ supportsPickup, taxPolicy, logoUrl: null, recipe: null, isWhole: false, products },
    };
  } catch (error) {
    if (error instanceof NotShopifyError) return null;
    if (!(error instanceof CatalogUnavailableError)) throw error;
    if (error.cause instanceof UrlNotAllowedError) throw error.cause;
    if (isKnown) throw error;
    return null;
  }
}

/**
 * Returns a product with the variants that match the goal best, also of those that a list of products leaves out. Null if the
 * list left out none.
 */
async function readBestVariants(
  egress: Egress,
  origin: string,
  { product, goal, market }: { readonly product: StorefrontProduct; readonly goal: string; readonly market: string },
): Promise<StorefrontProduct | null> {
  if (!product.hasMoreVariants) return null;
  const whole = await readProduct(egress, origin, { handle: product.handle, country: market });
  const words = readQueryWords(goal);
  const scoreOf = ({ title, merchantSku }: StorefrontVariant) => {
    const own = readWords(`${title ?? ""} ${merchantSku ?? ""}`);
    return words.reduce((sum, word) => sum + Math.max(0, ...own.map((one) => compareWords(word, one))), 0);
  };
  const scored = whole?.variants.map((variant) => ({ variant, score: scoreOf(variant) })) ?? [];
  const ranked = scored.toSorted((one, other) => other.score - one.score).map(({ variant }) => variant);
  return whole && { ...whole, variants: ranked.slice(0, MAX_VARIANTS) };
}

function toFoundProducts(origin: string, { id, handle, title, imageUrl, variants }: StorefrontProduct): FoundProduct[] {
  const page = `${origin}/products/${encodeURIComponent(handle)}`;
  return variants.map(({ sku, title: variantTitle, priceMinor, currency, available }) => ({
    ...{ sku, productId: id, title, variantTitle, priceMinor, currency, available, imageUrl },
    productUrl: `${page}?variant=${sku.slice(sku.lastIndexOf("/") + 1)}`,
  }));
}
