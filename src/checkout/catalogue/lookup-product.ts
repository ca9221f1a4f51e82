/** A product by its page's address (spec section 4.8, rule 6). Onboards nobody. */
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
import { merchantsByDomain } from "../merchants/merchants.ts";
import { readProduct, type StorefrontVariant } from "../storefront/products.ts";
import { readShop } from "../storefront/shop.ts";

export interface LookedUpProduct {
  readonly sku: string;
  readonly title: string;
  readonly variantTitle: string | null;
  readonly priceMinor: number;
  readonly currency: string;
  readonly available: boolean;
  readonly imageUrl: string | null;
  readonly productUrl: string;
  /** Null when the shop is not in the pool. */
  readonly merchant: Merchant | null;
  readonly shop: { readonly name: string; readonly url: string };
  /** Says which variant was taken where the address named none. */
  readonly variantNote: string | null;
  readonly priceNote: string;
}

const PRICE_NOTE =
  "The price as shown while browsing, without delivery, and without tax where the shop adds it at checkout.";
const LONGEST_URL = 2_048;
/** Behind a language or market, or a collection, if any. */
const PRODUCT_PATH = /^(?:\/[a-z]{2}(?:-[a-z]{2})?)?(?:\/collections\/[^/]+)?\/products\/([^/]+)\/?$/i;

/**
 * @throws {MissingUrlError | NotAProductUrlError | NotShopifyError | VariantNotFoundError | CatalogUnavailableError}
 * @throws {InvalidRequestError | UrlNotAllowedError} it is no address, or none that may be called
 */
export async function lookupProduct(deps: PricingDeps, viewer: Viewer | null, url: string): Promise<LookedUpProduct> {
  requireAccount(viewer);
  return await readPage(deps, url).catch((error: unknown) => {
    throw forbidden(error) ?? error;
  });
}

/** What the egress guard said, where a shop was not asked at all: asking again would change nothing. */
function forbidden(error: unknown): UrlNotAllowedError | null {
  const cause = error instanceof CatalogUnavailableError ? error.cause : null;
  return cause instanceof UrlNotAllowedError ? cause : null;
}

async function readPage(deps: PricingDeps, url: string): Promise<LookedUpProduct> {
  const { origin, host, handle, variantId } = readProductUrl(url);
  if (handle === null) throw await whyNoProduct(deps, origin);
  const shop = await readShop(deps.egress, origin);
  const country = shop.paymentSettings.countryCode;
  const product = await readProduct(deps.egress, origin, { handle, country });
  if (!product) throw new VariantNotFoundError();
  const { variant, note } = pickVariant(product.variants, variantId);
  const merchant = (await merchantsByDomain(deps.db, [host])).get(host) ?? null;
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
    shop: { name: shop.name, url: origin },
    variantNote: note,
    priceNote: PRICE_NOTE,
  };
}

/** A shop of another kind has its pages at other addresses, and is to be explored. */
async function whyNoProduct({ egress }: PricingDeps, origin: string): Promise<ServiceError> {
  const refusal = await readShop(egress, origin).catch((error: unknown) => error);
  return forbidden(refusal) ?? (refusal instanceof NotShopifyError ? refusal : new NotAProductUrlError());
}

function readProductUrl(text: string) {
  if (text.trim() === "") throw new MissingUrlError();
  const url = URL.parse(text.trim());
  if (!url || text.length > LONGEST_URL || !/^https?:$/.test(url.protocol)) {
    throw new InvalidRequestError("url must be an http or https address.", "url");
  }
  if (url.username !== "" || url.password !== "")
    throw new UrlNotAllowedError("The address may not carry credentials.");
  const encoded = PRODUCT_PATH.exec(url.pathname)?.[1];
  const variantId = url.searchParams.get("variant");
  return { origin: url.origin, host: url.host, handle: encoded === undefined ? null : decode(encoded), variantId };
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new NotAProductUrlError();
  }
}

/** The variant named; else the first that can be bought, and a note that says so. */
function pickVariant(variants: readonly StorefrontVariant[], variantId: string | null) {
  if (variantId !== null) {
    const named = variants.find(({ sku }) => sku === `gid://shopify/ProductVariant/${variantId}`);
    if (!named) throw new VariantNotFoundError();
    return { variant: named, note: null };
  }
  const variant = variants.find(({ available }) => available) ?? variants[0];
  if (!variant) throw new VariantNotFoundError();
  if (variants.length === 1) return { variant, note: null };
  const chosen = variant.available ? "the first that can be bought" : "the first, though none can be bought";
  const note = `The link names no variant: this is ${variant.title ?? "the only one"}, ${chosen} of ${variants.length}.`;
  return { variant, note };
}
