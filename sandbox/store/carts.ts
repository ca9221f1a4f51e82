import { randomBytes } from "node:crypto";
import type { Address } from "./address.ts";
import type { Product, Store, Variant } from "./definition.ts";
import type { Fault } from "./faults.ts";
import type { Table } from "./table.ts";

export type DeliveryMethod = "SHIPPING" | "PICK_UP" | "LOCAL";

export interface CartLine {
  id: string;
  variantId: number;
  quantity: number;
}

/** A cart. `key` is the secret part of its id; both parts are required to read it. */
export interface Cart {
  id: string;
  key: string;
  shop: string;
  createdAt: string;
  lines: CartLine[];
  email: string | null;
  phone: string | null;
  /** The buyer's country, which determines prices and currency. */
  countryCode: string;
  address: Address | null;
  /** Preferred delivery methods. Empty: any. */
  methods: DeliveryMethod[];
  pickupHandles: string[];
  /** Handle of the selected delivery option. Null: the first option. */
  selectedHandle: string | null;
  /** Whether delivery rates have been requested. Before that, totals exclude delivery. */
  isRated: boolean;
  faults: Fault[];
}

/** Creates a cart. */
export function newCart(store: Store, lines: Omit<CartLine, "id">[], rest: Partial<Cart> = {}): Cart {
  return {
    id: `hWN${randomBytes(12).toString("base64url")}`,
    key: randomBytes(16).toString("hex"),
    shop: store.name,
    createdAt: new Date().toISOString(),
    lines: lines.map((line) => ({ id: randomBytes(8).toString("hex"), ...line })),
    email: null,
    phone: null,
    countryCode: store.country,
    address: null,
    methods: [],
    pickupHandles: [],
    selectedHandle: null,
    isRated: false,
    faults: [],
    ...rest,
  };
}

/** Returns the store's cart with this id and key. */
export function findCart(carts: Table<Cart>, store: Store, id: string, key: unknown): Cart | undefined {
  const cart = carts.get(id);
  return cart?.shop === store.name && cart.key === key ? cart : undefined;
}

export function findVariant(store: Store, variantId: number): { product: Product; variant: Variant } | undefined {
  for (const product of store.products) {
    const variant = product.variants.find(({ id }) => id === variantId);
    if (variant) return { product, variant };
  }
  return undefined;
}

export function isAvailable({ stock }: Variant): boolean {
  return stock === null || stock > 0;
}
