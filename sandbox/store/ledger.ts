import type { Money } from "./money.ts";
import type { Table } from "./table.ts";

/** A charge. `attempts` is the number of payments that the checkout had received by then. */
export interface Charge extends Money {
  id: string;
  shop: string;
  /** ISO 8601. */
  at: string;
  orderNumber: string;
  cardLast4: string;
  cartId: string;
  attempts: number;
}

/** A payment that a store received, and its outcome. */
export interface Attempt {
  id: string;
  shop: string;
  at: string;
  cartId: string;
  outcome: "charged" | "declined" | "asked-owner" | "refused" | "dropped" | "hung";
}

/** Charges and payments of the stores. Duplicate payments are not prevented and are charged each time. */
export interface Ledger {
  charge(charge: Omit<Charge, "id" | "at" | "orderNumber">): Charge;
  recordAttempt(attempt: Omit<Attempt, "id" | "at">): void;
  charges(store: string): Charge[];
  attempts(store: string): Attempt[];
}

export function createLedger(charges: Table<Charge>, attempts: Table<Attempt>): Ledger {
  const rowsOf = <Row extends { shop: string }>(rows: Row[], store: string) => rows.filter((row) => row.shop === store);
  return {
    charge(charge) {
      const all = charges.all();
      const orderNumber = `${charge.shop.charAt(0).toUpperCase()}${1001 + rowsOf(all, charge.shop).length}`;
      const row = { id: String(all.length + 1), at: new Date().toISOString(), orderNumber, ...charge };
      charges.put(row);
      return row;
    },
    recordAttempt(attempt) {
      attempts.put({ id: String(attempts.all().length + 1), at: new Date().toISOString(), ...attempt });
    },
    charges: (store) => rowsOf(charges.all(), store),
    attempts: (store) => rowsOf(attempts.all(), store),
  };
}
