import type { Cart } from "../carts.ts";
import type { Store } from "../definition.ts";
import type { Faults } from "../faults.ts";
import type { Ledger } from "../ledger.ts";
import type { Processor } from "../processor/processor.ts";
import type { Table } from "../table.ts";

/** A checkout. It has the id of its cart and a copy of the cart. */
export interface Checkout {
  id: string;
  cart: Cart;
  /** How many payments were received. */
  attempts: number;
  /** The payment with a pending 3-D Secure challenge. */
  paymentId: string | null;
  /** Result of the last payment, shown on every page until the next payment. */
  notice: string | null;
  orderNumbers: string[];
}

/** Dependencies of a store's checkout. */
export interface CheckoutDeps {
  carts: Table<Cart>;
  checkouts: Table<Checkout>;
  faults: Faults;
  ledger: Ledger;
  processor: Processor;
}

/** Returns the cart's checkout and creates it on the first visit. Scheduled faults are assigned at that time. */
export function beginCheckout({ checkouts, faults }: CheckoutDeps, store: Store, cart: Cart): Checkout {
  const existing = checkouts.get(cart.id);
  if (existing) return existing;
  const cartFaults = [...cart.faults, ...faults.consume(store.name, "checkout", cart.id)];
  const methods: Cart["methods"] =
    cart.methods.includes("PICK_UP") || store.rates.length === 0 ? ["PICK_UP"] : ["SHIPPING"];
  const checkout: Checkout = {
    id: cart.id,
    cart: { ...cart, methods, faults: cartFaults },
    attempts: 0,
    paymentId: null,
    notice: null,
    orderNumbers: [],
  };
  checkouts.put(checkout);
  return checkout;
}

/** Returns the path of a checkout page. */
export function checkoutPath({ kind }: Store, { id }: Pick<Checkout, "id">, page = ""): string {
  return `/${kind === "shopify" ? "checkouts" : "order"}/${id}${page && `/${page}`}`;
}
