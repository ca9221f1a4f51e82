/** Product look-up by page URL (spec section 4.8, rule 6). Does not onboard the merchant. */
import type { Merchant } from "../../../generated/prisma/client.ts";
import { requireAccount, type Viewer } from "../../accounts/viewer.ts";
import { UrlNotAllowedError } from "../../platform/egress/errors.ts";
import { InvalidRequestError, type ServiceError } from "../../platform/errors.ts";
import type { PricingDeps } from "../deps.ts";
import {
  CatalogUnavailableError,
  MissingUrlError,
  NotAProductUrlError,
  NotShopifyError,
  VariantNotFoundError,
} from "../errors.ts";
import { findMerchantsByDomain } from "../merchants/merchants.ts";
import { readProduct, type StorefrontVariant } from "../storefront/products.ts";
import { readStore } from "../storefront/store.ts";

export interface LookedUpProduct {
  readonly sku: string;
  readonly title: string;
  readonly variantTitle: string | null;
  readonly priceMinor: number;
  readonly currency: string;
  readonly available: boolean;
  readonly imageUrl: string | null;
  readonly productUrl: string;
  /** Null when the merchant is neither in the pool nor explored by the account. */
  readonly merchant: Merchant | null;
  readonly store: { readonly name: string; readonly url: string };
  /** Note about the chosen variant; null unless the URL names none of several. */
  readonly variantNote: string | null;
  readonly priceNote: string;
}

const PRICE_NOTE =
  "The price as shown while browsing, without delivery, and without tax if the merchant adds it at checkout.";
const MAX_URL_LENGTH = 2_048;
/** Path of a product page, with optional language or market prefix and optional collection. */
const PRODUCT_PATH = /^(?:\/[a-z]{2}(?:-[a-z]{2})?)?(?:\/collections\/[^/]+)?\/products\/([^/]+)\/?$/i;

/**
 * Looks up a product by the URL of its page.
 * @throws {MissingUrlError | NotAProductUrlError | NotShopifyError | VariantNotFoundError | CatalogUnavailableError}
 * @throws {InvalidRequestError | UrlNotAllowedError} the URL is malformed, or the egress guard blocks it
 */
export async function lookupProduct(deps: PricingDeps, viewer: Viewer | null, url: string): Promise<LookedUpProduct> {
  const { accountId } = requireAccount(viewer);
  return await readProductPage(deps, accountId, url).catch((error: unknown) => {
    throw findBlockedUrlError(error) ?? error;
  });
}

/** Returns the egress guard's error when it blocked the request: unlike an unavailable merchant, it is not retryable. */
function findBlockedUrlError(error: unknown): UrlNotAllowedError | null {
  const cause = error instanceof CatalogUnavailableError ? error.cause : null;
  return cause instanceof UrlNotAllowedError ? cause : null;
}

async function readProductPage(deps: PricingDeps, accountId: string, url: string): Promise<LookedUpProduct> {
  const { origin, host, handle, variantId } = readProductUrl(url);
  if (handle === null) throw await diagnoseNonProductUrl(deps, origin);
  const store = await readStore(deps.egress, origin);
  const country = store.paymentSettings.countryCode;
  const product = await readProduct(deps.egress, origin, { handle, country });
  if (!product) throw new VariantNotFoundError();
  const { variant, note } = pickVariant(product.variants, variantId);
  const merchant = (await findMerchantsByDomain(deps.db.prisma, accountId, [host])).get(host) ?? null;
  return {
    sku: variant.sku,
    title: product.title,
    variantTitle: variant.title,
    priceMinor: variant.priceMinor,
    currency: variant.currency,
    available: variant.available,
    imageUrl: product.imageUrl,
    productUrl: url,
    merchant,
    store: { name: store.name, url: origin },
    variantNote: note,
    priceNote: PRICE_NOTE,
  };
}

/** Distinguishes a Shopify page that is no product page from another kind of site, which must be explored instead. */
async function diagnoseNonProductUrl({ egress }: PricingDeps, origin: string): Promise<ServiceError> {
  const result = await readStore(egress, origin).catch((error: unknown) => error);
  return findBlockedUrlError(result) ?? (result instanceof NotShopifyError ? result : new NotAProductUrlError());
}

function readProductUrl(text: string) {
  if (text.trim() === "") throw new MissingUrlError();
  const url = URL.parse(text.trim());
  if (!url || text.length > MAX_URL_LENGTH || !/^https?:$/.test(url.protocol)) {
    throw new InvalidRequestError("url must be an http or https URL.", "url");
  }
  if (url.username !== "" || url.password !== "") throw new UrlNotAllowedError("The URL must not contain credentials.");
  const encoded = PRODUCT_PATH.exec(url.pathname)?.[1];
  const variantId = url.searchParams.get("variant");
  return {
    origin: url.origin,
    host: url.host,
    handle: encoded === undefined ? null : decodeSegment(encoded),
    variantId,
  };
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new NotAProductUrlError();
  }
}

/** Returns the variant named in the URL, otherwise the first available one with a note. */
function pickVariant(variants: readonly StorefrontVariant[], variantId: string | null) {
  if (variantId !== null) {
    const named = variants.find(({ sku }) => sku === `gid://shopify/ProductVariant/${variantId}`);
    if (!named) throw new VariantNotFoundError();
    return { variant: named, note: null };
  }
  const variant = variants.find(({ available }) => available) ?? variants[0];
  if (!variant) throw new VariantNotFoundError();
  if (variants.length === 1) return { variant, note: null };
  const chosen = variant.available ? "the first available" : "the first, although none is available,";
  const note = `The URL names no variant. Selected ${variant.title ?? "the only variant"}, ${chosen} of ${variants.length}.`;
  return { variant, note };
}
