import type { Table } from "./table.ts";

/** Faults that a store can simulate, and the scope of one occurrence. */
export const FAULTS = {
  // Scope: one request to the Storefront API or the catalogue.
  throttled: { lasts: "request", says: "responds with a rate limit error" },
  api_5xx: { lasts: "request", says: "responds with status 503" },
  api_slow: { lasts: "request", says: "responds after 2 seconds" },
  api_garbage: { lasts: "request", says: "responds with invalid JSON" },
  api_hangs: { lasts: "request", says: "does not respond" },
  // Scope: one cart of the Storefront API.
  price_change_cart: { lasts: "cart", says: "prices the cart 10 % above the product pages" },
  stock_out_cart: { lasts: "cart", says: "reports all items as sold out" },
  no_rates: { lasts: "cart", says: "offers no delivery options" },
  rates_slow: { lasts: "cart", says: "returns delivery options after 2 seconds" },
  // Scope: one checkout, before the card is used.
  price_change: { lasts: "checkout", says: "raises prices by 10 % at checkout" },
  price_drop: { lasts: "checkout", says: "lowers prices by 10 % at checkout" },
  stock_out: { lasts: "checkout", says: "runs out of stock during checkout" },
  captcha: { lasts: "checkout", says: "shows a captcha" },
  bot_wall: { lasts: "checkout", says: "blocks automated browsers" },
  no_guest_checkout: { lasts: "checkout", says: "requires an account" },
  address_rejected: { lasts: "checkout", says: "rejects the address" },
  server_error: { lasts: "checkout", says: "responds with status 503 to every page" },
  slow: { lasts: "checkout", says: "delays every page by 2 seconds" },
  hangs: { lasts: "checkout", says: "never responds" },
  card_frame_down: { lasts: "checkout", says: "does not load the card fields" },
  // Scope: one checkout, after the card was submitted.
  decline: { lasts: "checkout", says: "declines every card" },
  three_ds: { lasts: "checkout", says: "requires 3-D Secure for every card" },
  three_ds_abandon: { lasts: "checkout", says: "never receives the result of 3-D Secure" },
  overcharge: { lasts: "checkout", says: "charges 10 % more than the displayed total" },
  double_submit: { lasts: "checkout", says: "sends the payment three times" },
  crash_before_charge: { lasts: "checkout", says: "drops the connection and charges nothing" },
  crash_after_charge: { lasts: "checkout", says: "charges and drops the connection" },
  hang_before_charge: { lasts: "checkout", says: "charges nothing and never responds" },
  hang_after_charge: { lasts: "checkout", says: "charges and never responds" },
  lost_confirmation: { lasts: "checkout", says: "charges and responds with status 500" },
  no_order_number: { lasts: "checkout", says: "charges and shows no order number" },
} as const;

export type Fault = keyof typeof FAULTS;
type Span = (typeof FAULTS)[Fault]["lasts"];

/** A scheduled fault. `cartId` null: any cart. `left` null: until cleared. */
export interface ScheduledFault {
  id: string;
  shop: string;
  fault: Fault;
  cartId: string | null;
  left: number | null;
}

/** Delay of the slow faults. */
export const SLOW_MS = 2_000;

export interface Faults {
  add(scheduled: Omit<ScheduledFault, "id">): ScheduledFault;
  /** Returns a store's scheduled faults. */
  pending(store: string): ScheduledFault[];
  clear(store: string): void;
  /** Consumes one occurrence of each scheduled fault with this scope and returns the faults. */
  consume(store: string, span: Span, cartId: string | null): Fault[];
}

export function createFaults(table: Table<ScheduledFault>): Faults {
  const pending = (store: string) =>
    table.all().filter((scheduled) => scheduled.shop === store && scheduled.left !== 0);
  return {
    add(scheduled) {
      const added = { id: String(table.all().length + 1), ...scheduled };
      table.put(added);
      return added;
    },
    pending,
    clear: (store) => pending(store).forEach((scheduled) => void table.put({ ...scheduled, left: 0 })),
    consume(store, span, cartId) {
      const due = pending(store).filter(
        (scheduled) =>
          FAULTS[scheduled.fault].lasts === span && (scheduled.cartId === null || scheduled.cartId === cartId),
      );
      for (const scheduled of due) if (scheduled.left !== null) table.put({ ...scheduled, left: scheduled.left - 1 });
      return [...new Set(due.map(({ fault }) => fault))];
    },
  };
}
