import { randomBytes } from "node:crypto";
import type { Card } from "./card.ts";

/** An order that a browser is placing. */
export interface Order {
  readonly id: string;
  quantity: number;
  /** All values that forms and scripts have sent, by name. */
  fields: Record<string, string>;
  delivery: "standard" | "express" | null;
  /** Price rise during the checkout. */
  surchargeMinor: number;
  /** Extras that the buyer added, such as insurance. */
  extrasMinor: number;
  isSoldOut: boolean;
  /** Card stored before a review step. */
  card: Card | null;
  orderNumber: string | null;
  /** Counters and marks of a shape's own, such as the number of polls. */
  readonly marks: Map<string, number>;
}

export function createOrder(quantity: number): Order {
  return {
    id: randomBytes(9).toString("base64url"),
    quantity,
    fields: {},
    delivery: null,
    ...{ surchargeMinor: 0, extrasMinor: 0, isSoldOut: false, card: null, orderNumber: null },
    marks: new Map(),
  };
}

/** Adds one to a counter of the order. @returns the new value */
export function count(order: Order, name: string): number {
  const value = (order.marks.get(name) ?? 0) + 1;
  order.marks.set(name, value);
  return value;
}

/** Values of a card, which an order does not store. */
const IS_CARD = /^(card_.*|payment_token|.*nonce|encrypted.*|value)$/i;

/** Stores posted values, without cards. Nested values are stored under their last name. */
export function saveFields(order: Order, body: unknown): void {
  if (typeof body !== "object" || body === null) return;
  for (const [name, value] of Object.entries(body)) {
    if (typeof value === "object") saveFields(order, value);
    else if (!IS_CARD.test(name)) order.fields[name] = String(value);
  }
  const chosen = order.fields["delivery"];
  if (chosen === "standard" || chosen === "express") order.delivery = chosen;
  const insured = order.fields["insurance"];
  order.extrasMinor = insured === "yes" || insured === "on" ? 999 : 0;
}
