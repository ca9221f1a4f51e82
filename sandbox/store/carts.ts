import { randomBytes } from "node:crypto";
import type { Address } from "./address.ts";
import type { Fault } from "./faults.ts";
import type { Product, Shop, Variant } from "./shop.ts";
import type { Table } from "./table.ts";

export type DeliveryMethod = "SHIPPING" | "PICK_UP" | "LOCAL";

export interface CartLine {
  id: string;
  variantId: number;
  quantity: number;
}

/** A basket. `key` is the secret half of its id: whoever has both may see where it goes. */
export interface Cart {
  id: string;
  key: string;
  shop: string;
  createdAt: string;
  lines: CartLine[];
  email: string | null;
  phone: string | null;
  /** Decides prices and currency. */
  countryCode: string;
  address: Address | null;
  /** Ways the buyer prefers; none means any. */
  methods: DeliveryMethod[];
  pickupHandles: string[];
  /** The way that was picked; null takes the first there is. */
  selectedHandle: string | null;
  /** Whether somebody has asked what delivery costs: until then totals leave it out. */
  isRated: boolean;
  faults: Fault[];
}

/** Lets a cart begin. */
export function newCart(shop: Shop, lines: Omit<CartLine, "id">[], rest: Partial<Cart> = {}): Cart {
  return {
    id: `hWN${randomBytes(12).toString("base64url")}`,
    key: randomBytes(16).toString("hex"),
    shop: shop.name,
    createdAt: new Date().toISOString(),
    lines: lines.map((line) => ({ id: randomBytes(8).toString("hex"), ...line })),
    email: null,
    phone: null,
    countryCode: shop.country,
    address: null,
    methods: [],
    pickupHandles: [],
    selectedHandle: null,
    isRated: false,
    faults: [],
    ...rest,
  };
}

/** The cart of this shop that both halves of an id name. */
export function findCart(carts: Table<Cart>, shop: Shop, id: string, key: unknown): Cart | undefined {
  const cart = carts.get(id);
  return cart?.shop === shop.name && cart.key === key ? cart : undefined;
}

export function findVariant(shop: Shop, variantId: number): { product: Product; variant: Variant } | undefined {
  for (const product of shop.products) {
    const variant = product.variants.find(({ id }) => id === variantId);
    if (variant) return { product, variant };
  }
  return undefined;
}

export function isAvailable({ stock }: Variant): boolean {
  return stock === null || stock > 0;
}
