import type { Table } from "./table.ts";

/** What a shop can be told to do wrong, and how long one time of it lasts. */
export const FAULTS = {
  // One request to the Storefront API, or to the catalogue.
  throttled: { lasts: "request", says: "answers that it is asked too often" },
  api_5xx: { lasts: "request", says: "answers 503" },
  api_slow: { lasts: "request", says: "answers after some seconds" },
  api_garbage: { lasts: "request", says: "answers what is no JSON" },
  api_hangs: { lasts: "request", says: "answers nothing" },
  // One cart of the Storefront API.
  price_change_cart: { lasts: "cart", says: "asks a tenth more than its pages say" },
  stock_out_cart: { lasts: "cart", says: "has none left of anything" },
  no_rates: { lasts: "cart", says: "names no way to deliver" },
  rates_slow: { lasts: "cart", says: "takes some seconds to name the ways to deliver" },
  // One checkout, before a card is used.
  price_change: { lasts: "checkout", says: "asks a tenth more at checkout" },
  price_drop: { lasts: "checkout", says: "asks a tenth less at checkout" },
  stock_out: { lasts: "checkout", says: "sells the last one to somebody else meanwhile" },
  captcha: { lasts: "checkout", says: "asks whether the buyer is a robot" },
  bot_wall: { lasts: "checkout", says: "lets no browser in that looks automated" },
  no_guest_checkout: { lasts: "checkout", says: "sells to people with an account only" },
  address_rejected: { lasts: "checkout", says: "does not take the address" },
  server_error: { lasts: "checkout", says: "answers 503 to every page" },
  slow: { lasts: "checkout", says: "takes some seconds for every page" },
  hangs: { lasts: "checkout", says: "never answers" },
  card_frame_down: { lasts: "checkout", says: "shows no fields for the card" },
  // One checkout, once the card was sent.
  decline: { lasts: "checkout", says: "declines every card" },
  three_ds: { lasts: "checkout", says: "has every card confirmed by its owner" },
  three_ds_abandon: { lasts: "checkout", says: "never hears from the bank again" },
  overcharge: { lasts: "checkout", says: "charges a tenth more than it showed" },
  double_submit: { lasts: "checkout", says: "has its page send the payment three times" },
  crash_before_charge: { lasts: "checkout", says: "drops the connection and charges nothing" },
  crash_after_charge: { lasts: "checkout", says: "charges and drops the connection" },
  hang_before_charge: { lasts: "checkout", says: "charges nothing and never answers" },
  hang_after_charge: { lasts: "checkout", says: "charges and never answers" },
  lost_confirmation: { lasts: "checkout", says: "charges and answers 500" },
  no_order_number: { lasts: "checkout", says: "charges and says thank you, but no order number" },
} as const;

export type Fault = keyof typeof FAULTS;
type Span = (typeof FAULTS)[Fault]["lasts"];

/** A fault that waits for what it spoils. `cartId` is the bare token of one cart, or null for any; `left` null: until taken back. */
export interface FaultOrder {
  id: string;
  shop: string;
  fault: Fault;
  cartId: string | null;
  left: number | null;
}

/** How long what is slow takes. */
export const SLOW_MS = 2_000;

export interface Faults {
  add(order: Omit<FaultOrder, "id">): FaultOrder;
  /** All that wait at a shop. */
  waiting(shop: string): FaultOrder[];
  clear(shop: string): void;
  /** Uses one time of each fault of this span that waits here. */
  take(shop: string, span: Span, cartId: string | null): Fault[];
}

export function createFaults(table: Table<FaultOrder>): Faults {
  const waiting = (shop: string) => table.all().filter((order) => order.shop === shop && order.left !== 0);
  return {
    add(order) {
      const added = { id: String(table.all().length + 1), ...order };
      table.put(added);
      return added;
    },
    waiting,
    clear: (shop) => waiting(shop).forEach((order) => void table.put({ ...order, left: 0 })),
    take(shop, span, cartId) {
      const due = waiting(shop).filter(
        (order) => FAULTS[order.fault].lasts === span && (order.cartId === null || order.cartId === cartId),
      );
      for (const order of due) if (order.left !== null) table.put({ ...order, left: order.left - 1 });
      return [...new Set(due.map(({ fault }) => fault))];
    },
  };
}
