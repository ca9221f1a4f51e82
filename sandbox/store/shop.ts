import type { Currency } from "./money.ts";

/** One thing that can be bought. Amounts are minor units of the shop's own currency. */
export interface Variant {
  id: number;
  sku: string;
  /** `Default Title` when the product has one variant only, as Shopify has it. */
  title: string;
  options: { name: string; value: string }[];
  priceMinor: number;
  compareAtMinor: number | null;
  /** How many there are; null when the shop does not count. */
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

/** A way to have a parcel sent; the amount in the shop's own currency. */
export interface Rate {
  code: string;
  title: string;
  description: string;
  countries: string[];
  amountMinor: number;
  /** Costs nothing from this subtotal on. */
  freeFromMinor?: number;
  /** Asked of a carrier for each cart, not read from a table. */
  isCarrierRate?: boolean;
}

/** Where a person may fetch what they bought, at no cost. */
export interface PickupLocation {
  handle: string;
  name: string;
  address: string;
  readyIn: string;
  /** Product handles that this place does not have. */
  without?: string[];
}

/** What else than its own currency a shop shows to a country; price = own price × numerator / denominator, rounded half up. */
export interface Market {
  currency: Currency;
  factor: readonly [numerator: number, denominator: number];
}

/** `added`: basis points by `US-CA` or `US`, on goods, at checkout. */
export type Tax = { kind: "included"; basisPoints: number } | { kind: "added"; basisPoints: Record<string, number> };

/** How the checkout and its card fields look; every combination occurs on real sites. */
export interface CheckoutStyle {
  pages: "single" | "multi";
  /** `standard`: `cc-*` autocomplete. `split-expiry`: month and year apart. `unmarked`: no autocomplete, labels alone. */
  card: "standard" | "split-expiry" | "unmarked";
}

export interface Shop {
  /** Also its name among the sandbox's ports and endpoints. */
  name: string;
  title: string;
  slogan: string;
  /** `shopify` has the Storefront API; `worker` has pages alone. */
  kind: "shopify" | "worker";
  country: string;
  currency: Currency;
  /** One hue, so that people can tell the shops apart. */
  colour: string;
  shipsTo: string[];
  markets: Record<string, Market>;
  tax: Tax;
  rates: Rate[];
  pickups: PickupLocation[];
  /** No order below this subtotal. */
  minimumMinor?: number;
  checkout: CheckoutStyle;
  products: Product[];
}

type ProductText = Pick<Product, "title" | "description" | "productType" | "tags">;
type VariantText = Partial<Omit<Variant, "id">> & Pick<Variant, "priceMinor" | "sku">;

/**
 * Writes a product out. Ids count from the shop's own first one, so that no two shops share a variant.
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
