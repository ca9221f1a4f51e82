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
import { alternativeDomains, findMerchantsByDomain } from "../merchants/merchants.ts";
import { readProduct, readVariants, type StorefrontProduct, type StorefrontVariant } from "../storefront/products.ts";
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
/**
 * Path of a product page, with an optional prefix of the language or market, such as `/fr`, `/zh-hant` or `/en-eu`, and an
 * optional collection. Themes request the same path with `.js`, feeds with `.json`; a handle contains no dots.
 */
const PRODUCT_PATH =
  /^(?:\/[a-z]{2,3}(?:-[a-z0-9]+)*)?(?:\/collections(?:\/[^/]+){1,2})?\/products\/([^/]+?)(?:\.js(?:on)?)?\/?$/i;

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
  const { origin, host, handle, variantId, parameters, pageUrl } = readProductUrl(url);
  if (handle === null) throw await diagnoseNonProductUrl(deps, origin);
  const store = await readStore(deps.egress, origin);
  const country = store.paymentSettings.countryCode;
  const { product, variant, note } =
    variantId === null
      ? await pickVariant(deps, origin, { handle, country, parameters })
      : await findVariant(deps, origin, { handle, country, variantId });
  const known = await findMerchantsByDomain(deps.db.prisma, accountId, alternativeDomains(host));
  const merchant = known.get(host) ?? [...known.values()][0] ?? null;
  return {
    sku: variant.sku,
    title: product.title,
    variantTitle: variant.title,
    priceMinor: variant.priceMinor,
    currency: variant.currency,
    available: variant.available,
    imageUrl: product.imageUrl,
    productUrl: pageUrl,
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
    parameters: [...url.searchParams],
    pageUrl: text.trim().replace(/(\/products\/[^/?#]+?)\.js(?:on)?(?=[/?#]|$)/i, "$1"),
  };
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new NotAProductUrlError();
  }
}

interface PickedVariant {
  readonly product: StorefrontProduct;
  readonly variant: StorefrontVariant;
  /** Note about the choice; null if there was none. */
  readonly note: string | null;
}

/** Returns the variant named in the URL. @throws {VariantNotFoundError} the product does not have it */
async function findVariant(
  { egress }: PricingDeps,
  origin: string,
  { handle, country, variantId }: { readonly handle: string; readonly country: string; readonly variantId: string },
): Promise<PickedVariant> {
  if (!/^\d{1,18}$/.test(variantId)) throw new VariantNotFoundError();
  const skus = [`gid://shopify/ProductVariant/${variantId}`];
  const [found] = await readVariants(egress, origin, { skus, country });
  if (found?.product.handle !== handle) throw new VariantNotFoundError();
  return { ...found, note: null };
}

/**
 * Returns the first available variant with the options named in the URL, such as `?Size=M`, with a note if several have them.
 * @throws {VariantNotFoundError} there is no such product or variant
 */
async function pickVariant(
  { egress }: PricingDeps,
  origin: string,
  {
    handle,
    country,
    parameters,
  }: { readonly handle: string; readonly country: string; readonly parameters: readonly [string, string][] },
): Promise<PickedVariant> {
  const product = await readProduct(egress, origin, { handle, country });
  const fold = (text: string) => text.normalize("NFC").trim().toLowerCase();
  const names = new Set(product?.variants.flatMap(({ options }) => options.map(({ name }) => fold(name))));
  const named = parameters.filter(([name]) => names.has(fold(name)));
  const matching = (product?.variants ?? []).filter(({ options }) =>
    named.every(([name, value]) =>
      options.some((option) => fold(option.name) === fold(name) && fold(option.value) === fold(value)),
    ),
  );
  const variant = matching.find(({ available }) => available) ?? matching[0];
  if (!product || !variant) throw new VariantNotFoundError();
  if (matching.length === 1) return { product, variant, note: null };
  const chosen = variant.available ? "the first available" : "the first, although none is available,";
  const note = `The URL names no variant. Selected ${variant.title ?? "the only variant"}, ${chosen} of ${matching.length}.`;
  return { product, variant, note };
}
