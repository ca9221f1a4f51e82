import type { Money } from "./money.ts";
import type { Table } from "./table.ts";

/** Money that a shop took. `attempts` counts the payments which this checkout had been sent by then. */
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

/** A payment that reached a shop, and what became of it there. */
export interface Attempt {
  id: string;
  shop: string;
  at: string;
  cartId: string;
  outcome: "charged" | "declined" | "asked-owner" | "refused" | "dropped" | "hung";
}

/** What a shop took, and what it was sent. Nothing is held back here: who pays twice is charged twice. */
export interface Ledger {
  charge(charge: Omit<Charge, "id" | "at" | "orderNumber">): Charge;
  note(attempt: Omit<Attempt, "id" | "at">): void;
  charges(shop: string): Charge[];
  attempts(shop: string): Attempt[];
}

export function createLedger(charges: Table<Charge>, attempts: Table<Attempt>): Ledger {
  const of = <Row extends { shop: string }>(rows: Row[], shop: string) => rows.filter((row) => row.shop === shop);
  return {
    charge(charge) {
      const all = charges.all();
      const orderNumber = `${charge.shop.charAt(0).toUpperCase()}${1001 + of(all, charge.shop).length}`;
      const row = { id: String(all.length + 1), at: new Date().toISOString(), orderNumber, ...charge };
      charges.put(row);
      return row;
    },
    note(attempt) {
      attempts.put({ id: String(attempts.all().length + 1), at: new Date().toISOString(), ...attempt });
    },
    charges: (shop) => of(charges.all(), shop),
    attempts: (shop) => of(attempts.all(), shop),
  };
}
