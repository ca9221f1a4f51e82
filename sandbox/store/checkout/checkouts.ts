import type { Cart } from "../carts.ts";
import type { Faults } from "../faults.ts";
import type { Ledger } from "../ledger.ts";
import type { Processor } from "../processor/processor.ts";
import type { Shop } from "../shop.ts";
import type { Table } from "../table.ts";

/** One visit to the till; it has the id of its cart, of which it keeps a copy. */
export interface Checkout {
  id: string;
  cart: Cart;
  /** How often a payment was sent. */
  attempts: number;
  /** The payment that its bank is asking the card's owner about. */
  paymentId: string | null;
  /** What became of the last payment, said on every page until there is another. */
  notice: string | null;
  orderNumbers: string[];
}

/** What a shop's till works with. */
export interface CheckoutDeps {
  carts: Table<Cart>;
  checkouts: Table<Checkout>;
  faults: Faults;
  ledger: Ledger;
  processor: Processor;
}

/** The checkout of a cart, which begins with the first visit: what was ordered to go wrong stays with it. */
export function beginCheckout({ checkouts, faults }: CheckoutDeps, shop: Shop, cart: Cart): Checkout {
  const begun = checkouts.get(cart.id);
  if (begun) return begun;
  const spoiled = [...cart.faults, ...faults.take(shop.name, "checkout", cart.id)];
  const methods: Cart["methods"] =
    cart.methods.includes("PICK_UP") || shop.rates.length === 0 ? ["PICK_UP"] : ["SHIPPING"];
  const checkout: Checkout = {
    id: cart.id,
    cart: { ...cart, methods, faults: spoiled },
    attempts: 0,
    paymentId: null,
    notice: null,
    orderNumbers: [],
  };
  checkouts.put(checkout);
  return checkout;
}

/** Where the pages of a checkout are. */
export function checkoutPath({ kind }: Shop, { id }: Pick<Checkout, "id">, page = ""): string {
  return `/${kind === "shopify" ? "checkouts" : "order"}/${id}${page && `/${page}`}`;
}
