import type { Currency } from "./money.ts";

/** A product variant. Amounts are in minor units of the store's currency. */
export interface Variant {
  id: number;
  sku: string;
  /** `Default Title` if the product has a single variant, as in Shopify. */
  title: string;
  options: { name: string; value: string }[];
  priceMinor: number;
  compareAtMinor: number | null;
  /** Items in stock; null if the store does not track stock. */
  stock: number | null;
  requiresShipping: boolean;
  taxable: boolean;
}

export interface Product {
  id: number;
  handle: string;
  title: string;
  description: string;
  vendor: string;
  productType: string;
  tags: string[];
  variants: Variant[];
}

/** A shipping rate. Amounts are in the store's currency. */
export interface Rate {
  code: string;
  title: string;
  description: string;
  countries: string[];
  amountMinor: number;
  /** Free from this subtotal on. */
  freeFromMinor?: number;
  /** Whether a carrier calculates the rate for each cart. */
  isCarrierRate?: boolean;
}

/** A discount that applies without a code. Amounts are in the store's currency. */
export type AutomaticDiscount =
  /** An amount off the order from this subtotal on. */
  | { kind: "order"; title: string; fromMinor: number; amountMinor: number }
  /** Free delivery, by any rate, from this subtotal on. */
  | { kind: "delivery"; title: string; fromMinor: number }
  /** A percentage off the lines of one product with at least this quantity. */
  | { kind: "lines"; title: string; handle: string; fromQuantity: number; basisPoints: number };

/** A location where buyers can collect their order for free. */
export interface PickupLocation {
  handle: string;
  name: string;
  address: string;
  readyIn: string;
  /** Handles of products that the location does not stock. */
  without?: string[];
}

/** Currency for buyers of a country. Price = store price × numerator / denominator, rounded half up. */
export interface Market {
  currency: Currency;
  factor: readonly [numerator: number, denominator: number];
}

/** `added`: basis points by `US-CA` or `US`, charged on goods at checkout. */
export type Tax = { kind: "included"; basisPoints: number } | { kind: "added"; basisPoints: Record<string, number> };

/** Layout of the checkout and its card fields. Every combination occurs on real sites. */
export interface CheckoutStyle {
  pages: "single" | "multi";
  /** `standard`: `cc-*` autocomplete. `split-expiry`: separate month and year. `unmarked`: labels only, no autocomplete. */
  card: "standard" | "split-expiry" | "unmarked";
}

export interface Store {
  /** Also the store's name in ports and endpoints of the sandbox. */
  name: string;
  title: string;
  slogan: string;
  /** `shopify`: with the Storefront API. `worker`: pages only. */
  kind: "shopify" | "worker";
  country: string;
  currency: Currency;
  /** Brand colour, which distinguishes the stores. */
  colour: string;
  shipsTo: string[];
  markets: Record<string, Market>;
  tax: Tax;
  rates: Rate[];
  pickups: PickupLocation[];
  discounts?: AutomaticDiscount[];
  /** Minimum subtotal of an order. */
  minimumMinor?: number;
  checkout: CheckoutStyle;
  products: Product[];
}

type ProductText = Pick<Product, "title" | "description" | "productType" | "tags">;
type VariantText = Partial<Omit<Variant, "id">> & Pick<Variant, "priceMinor" | "sku">;

/**
 * Creates a product. Variant ids derive from the product's id, so they are unique across stores.
 * @param id of the product; its variants are `id * 10 + 1` and so on
 */
export function product(id: number, vendor: string, text: ProductText, variants: VariantText[]): Product {
  return {
    id,
    vendor,
    handle: text.title
      .toLowerCase()
      .normalize("NFD")
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, ""),
    ...text,
    variants: variants.map((variant, index) => ({
      id: id * 10 + index + 1,
      title: variant.options?.map(({ value }) => value).join(" / ") ?? "Default Title",
      options: [{ name: "Title", value: "Default Title" }],
      compareAtMinor: null,
      stock: null,
      requiresShipping: true,
      taxable: true,
      ...variant,
    })),
  };
}
