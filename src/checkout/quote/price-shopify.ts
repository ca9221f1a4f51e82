/** Pricing through the Storefront API: live prices and actual fulfilment options. */
import type { Merchant } from "../../../generated/prisma/client.ts";
import type { PricingDeps } from "../deps.ts";
import { CatalogUnavailableError, ShipToInvalidError, SkuNotFoundError } from "../errors.ts";
import {
  type CartUserError,
  type CreatedCart,
  createCart,
  type DeliveryMethod,
  pickDelivery,
  readDelivery,
  type StorefrontCart,
} from "../storefront/cart.ts";
import {
  findProductsByWords,
  readProduct,
  readVariants,
  type StorefrontProduct,
  type StorefrontVariant,
} from "../storefront/products.ts";
import { type CartCharge, readCartCharge } from "./cart-charge.ts";
import { createDigitalOption, type FulfillmentOption, toFulfillmentOptions } from "./fulfillment.ts";
import { type Candidate, findNearest } from "./nearest.ts";
import type { CartItem, QuoteLine, Unfulfillable } from "./quote.ts";
import type { ShipTo } from "./ship-to.ts";

interface Priced {
  readonly currency: string;
  readonly lines: readonly QuoteLine[];
  readonly subtotalMinor: number;
  readonly basketUrl: string;
  /** Options for the whole cart; a single one if nothing ships. */
  readonly options: readonly FulfillmentOption[];
  readonly unfulfillable: Unfulfillable | null;
  /** Selects an option and returns the cart's charge; null if the merchant rejects it. */
  pick(option: FulfillmentOption): Promise<CartCharge | null>;
}

const VARIANT_ID = /^(?:gid:\/\/shopify\/ProductVariant\/)?(\d{1,18})$/;
/** Address fields by their Storefront API names. */
const ADDRESS_FIELDS: Readonly<Record<string, keyof ShipTo>> = {
  firstName: "firstName",
  lastName: "lastName",
  company: "company",
  address1: "address1",
  address2: "address2",
  city: "city",
  provinceCode: "provinceCode",
  zip: "postalCode",
  countryCode: "countryCode",
  phone: "phone",
};

/** Prices items in a new cart of the merchant. @throws {SkuNotFoundError | ShipToInvalidError | CatalogUnavailableError} */
export async function priceShopify(
  deps: PricingDeps,
  merchant: Merchant,
  request: {
    readonly items: readonly CartItem[];
    readonly address: ShipTo | null;
    readonly methods: readonly DeliveryMethod[];
  },
): Promise<Priced> {
  const { items, address, methods } = request;
  const country = address?.countryCode ?? merchant.countryCode;
  const found = await findVariants(deps, merchant, items, country);
  const created = await createCart(deps.egress, merchant.url, {
    lines: found.map(({ variant, quantity }) => ({ sku: variant.sku, quantity })),
    country,
    address,
    methods,
  });
  assertAddressAccepted(created.userErrors);
  const lines = createLines(merchant, found, created.cart);
  const currency = created.cart?.cost.subtotalAmount.currency ?? found[0]?.variant.currency ?? merchant.currency;
  if (lines.some((_line, index) => found[index]?.variant.currency !== currency)) {
    throw new CatalogUnavailableError("The merchant prices the items in several currencies.");
  }
  const base = {
    currency,
    lines,
    subtotalMinor: lines.reduce((sum, { totalMinor }) => sum + totalMinor, 0),
    basketUrl: `${merchant.url}/cart/${found.map(({ variant, quantity }) => `${variantNumber(variant.sku)}:${quantity}`).join(",")}`,
    options: [],
    pick: async () => null,
  };
  const rejection = findRejection(created, found, country);
  if (rejection || !created.cart) {
    return {
      ...base,
      unfulfillable: rejection ?? createUnfulfillable("no_rates", "The merchant rejected the cart.", country),
    };
  }
  if (found.every(({ variant }) => !variant.requiresShipping)) {
    const charge = readCartCharge(created.cart, { ...base, deliveryMinor: [] });
    return { ...base, options: [createDigitalOption(currency)], unfulfillable: null, pick: async () => charge };
  }
  const options = toFulfillmentOptions(await readDelivery(deps.egress, merchant.url, created.cart.id));
  const cartId = created.cart.id;
  return {
    ...base,
    options,
    unfulfillable: options.length > 0 ? null : describeMissingDelivery(merchant, address, methods),
    async pick({ picks }) {
      const cart = await pickDelivery(deps.egress, merchant.url, { cartId, picks });
      const deliveryMinor = picks.map(({ amountMinor }) => amountMinor);
      return cart && readCartCharge(cart, { ...base, deliveryMinor });
    },
  };
}

interface Found extends CartItem {
  readonly product: StorefrontProduct;
  readonly variant: StorefrontVariant;
}

async function findVariants(
  deps: PricingDeps,
  merchant: Merchant,
  items: readonly CartItem[],
  country: string,
): Promise<Found[]> {
  const skus = items.map(({ sku }) => `gid://shopify/ProductVariant/${VARIANT_ID.exec(sku)?.[1] ?? "0"}`);
  const variants = await readVariants(deps.egress, merchant.url, { skus, country });
  const missing = items.find((_item, index) => !variants[index]);
  if (missing) throw new SkuNotFoundError(missing.sku, await findNearestProducts(deps, merchant, missing.sku, country));
  return items.flatMap((item, index) => {
    const match = variants[index];
    return match ? [{ ...item, ...match }] : [];
  });
}

async function findNearestProducts(deps: PricingDeps, merchant: Merchant, sku: string, country: string) {
  const text = VARIANT_ID.test(sku) ? "" : sku;
  const products = await findProductsByWords(deps.egress, merchant.url, { text, country });
  const candidates = products.flatMap(toCandidates);
  const [best] = findNearest(text, candidates);
  const cutOff = products.find(
    (product) => product.hasMoreVariants && product.variants.some((it) => it.sku === best?.sku),
  );
  const whole = cutOff && (await readProduct(deps.egress, merchant.url, { handle: cutOff.handle, country }));
  return findNearest(
    text,
    whole ? [...toCandidates(whole), ...products.filter((it) => it !== cutOff).flatMap(toCandidates)] : candidates,
  );
}

function toCandidates({ title, variants }: StorefrontProduct): Candidate[] {
  return variants.map((it) => ({
    ...{ sku: it.sku, merchantSku: it.merchantSku, title, variantTitle: it.title },
    price: { amountMinor: it.priceMinor, currency: it.currency },
  }));
}

function assertAddressAccepted(errors: readonly CartUserError[]): void {
  for (const { field, message } of errors) {
    if (!field?.includes("deliveryAddress")) continue;
    const name = ADDRESS_FIELDS[field.at(-1) ?? ""];
    throw new ShipToInvalidError(name ?? "address1", `was rejected by the merchant: ${message.slice(0, 200)}`);
  }
}

function findRejection(
  { cart, userErrors, warnings }: CreatedCart,
  found: readonly Found[],
  country: string,
): Unfulfillable | null {
  const soldOut = found.filter(({ variant }) => !variant.available).map(({ sku }) => sku);
  const lacking = warnings.filter(({ code }) => /^MERCHANDISE_(?:OUT_OF_STOCK|NOT_ENOUGH_STOCK)$/.test(code ?? ""));
  if (soldOut.length > 0 || lacking.length > 0) {
    // A warning's target is a variant, or the line of the cart that contains some of them.
    const targets = new Set(lacking.map(({ target }) => target));
    for (const { id, merchandise } of cart?.lines.nodes ?? []) if (targets.has(id)) targets.add(merchandise.id);
    const named = found.filter(({ variant }) => targets.has(variant.sku)).map(({ sku }) => sku);
    const message = lacking[0]?.message.slice(0, 200) ?? "The merchant is out of stock.";
    return { ...createUnfulfillable("item_unavailable", message, country), skus: [...new Set([...soldOut, ...named])] };
  }
  const [error] = userErrors;
  if (!error) return null;
  return createUnfulfillable(
    error.code === "MINIMUM_NOT_MET" ? "minimum_not_met" : "no_rates",
    error.message.slice(0, 200),
    country,
  );
}

function describeMissingDelivery(
  merchant: Merchant,
  address: ShipTo | null,
  methods: readonly DeliveryMethod[],
): Unfulfillable {
  const country = address?.countryCode ?? null;
  if (!methods.includes("SHIPPING"))
    return createUnfulfillable("no_rates", "The merchant offers no pickup for these items.", country);
  if (address === null) {
    return createUnfulfillable(
      "no_rates",
      "There is no delivery address. Add a card with a billing address, or send shipTo.",
      null,
    );
  }
  if (country !== null && merchant.shipsTo.length > 0 && !merchant.shipsTo.includes(country)) {
    return createUnfulfillable("address_undeliverable", `The merchant does not ship to ${country}.`, country);
  }
  return createUnfulfillable("no_rates", "The merchant offers no delivery to this address.", country);
}

function createUnfulfillable(code: Unfulfillable["code"], message: string, countryCode: string | null): Unfulfillable {
  return { code, message, skus: [], countryCode };
}

function createLines(merchant: Merchant, found: readonly Found[], cart: StorefrontCart | null): QuoteLine[] {
  return found.map(({ sku, quantity, product, variant }) => {
    const line = cart?.lines.nodes.find(({ merchandise }) => merchandise.id === variant.sku);
    const subtotalMinor = variant.priceMinor * quantity;
    const totalMinor = line?.quantity === quantity ? line.cost.totalAmount.amountMinor : subtotalMinor;
    return {
      sku,
      productId: product.id,
      title: product.title,
      variantTitle: variant.title,
      quantity,
      unitPriceMinor: variant.priceMinor,
      subtotalMinor,
      discountMinor: Math.max(0, subtotalMinor - totalMinor),
      totalMinor,
      available: variant.available,
      requiresShipping: variant.requiresShipping,
      imageUrl: product.imageUrl,
      productUrl: `${merchant.url}/products/${encodeURIComponent(product.handle)}?variant=${variantNumber(variant.sku)}`,
    };
  });
}

function variantNumber(variantId: string): string {
  return VARIANT_ID.exec(variantId)?.[1] ?? "";
}
