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
import { readProducts, readVariants, type StorefrontProduct, type StorefrontVariant } from "../storefront/products.ts";
import { createDigitalOption, type FulfillmentOption, toFulfillmentOptions } from "./fulfillment.ts";
import { findNearest } from "./nearest.ts";
import type { CartItem, QuoteLine, Unfulfillable } from "./quote.ts";
import type { ShipTo } from "./ship-to.ts";

interface Priced {
  readonly currency: string;
  readonly lines: readonly QuoteLine[];
  readonly subtotalMinor: number;
  readonly basketUrl: string;
  /** Options per group of items that ship together; one group with one option if nothing ships. */
  readonly groups: readonly (readonly FulfillmentOption[])[];
  readonly unfulfillable: Unfulfillable | null;
  /** Selects options and returns the cart's total; null if the merchant rejects them. */
  pick(options: readonly FulfillmentOption[]): Promise<number | null>;
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
    groups: [],
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
    const total = created.cart.cost.totalAmount.amountMinor;
    return { ...base, groups: [[createDigitalOption(currency)]], unfulfillable: null, pick: async () => total };
  }
  const groups = (await readDelivery(deps.egress, merchant.url, created.cart.id)).map(toFulfillmentOptions);
  const cartId = created.cart.id;
  return {
    ...base,
    groups,
    unfulfillable: findDeliveryProblem(merchant, groups, address, methods),
    async pick(options) {
      const picks = options.flatMap(({ pick }) => (pick ? [pick] : []));
      const total = await pickDelivery(deps.egress, merchant.url, { cartId, picks });
      return total?.currency === currency ? total.amountMinor : null;
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
  const words = VARIANT_ID.test(sku) ? null : sku;
  const close = words === null ? [] : await readProducts(deps.egress, merchant.url, { query: words, country });
  const products = close.length > 0 ? close : await readProducts(deps.egress, merchant.url, { query: null, country });
  const candidates = products.flatMap(({ title, variants }) =>
    variants.map((it) => ({
      sku: it.sku,
      merchantSku: it.merchantSku,
      title,
      variantTitle: it.title,
      price: { amountMinor: it.priceMinor, currency: it.currency },
    })),
  );
  return findNearest(sku, candidates);
}

function assertAddressAccepted(errors: readonly CartUserError[]): void {
  for (const { field, message } of errors) {
    if (!field?.includes("deliveryAddress")) continue;
    const name = ADDRESS_FIELDS[field.at(-1) ?? ""];
    throw new ShipToInvalidError(name ?? "address1", `was rejected by the merchant: ${message.slice(0, 200)}`);
  }
}

function findRejection(
  { userErrors, warnings }: CreatedCart,
  found: readonly Found[],
  country: string,
): Unfulfillable | null {
  const soldOut = found.filter(({ variant }) => !variant.available).map(({ sku }) => sku);
  const lacking = warnings.filter(({ code }) => /^MERCHANDISE_(?:OUT_OF_STOCK|NOT_ENOUGH_STOCK)$/.test(code ?? ""));
  if (soldOut.length > 0 || lacking.length > 0) {
    const named = found
      .filter(({ variant }) => lacking.some(({ target }) => target === variant.sku))
      .map(({ sku }) => sku);
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

function findDeliveryProblem(
  merchant: Merchant,
  groups: readonly (readonly FulfillmentOption[])[],
  address: ShipTo | null,
  methods: readonly DeliveryMethod[],
): Unfulfillable | null {
  if (groups.length > 0 && groups.every((options) => options.length > 0)) return null;
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
