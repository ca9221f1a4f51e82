/** Caps that the person set, in minor units of the order's currency (spec section 2.12). */
import {
  ConstraintExceededError,
  ConstraintsInvalidError,
  ConstraintUnverifiableError,
  ItemCapExceededError,
} from "../errors.ts";

export interface Constraints {
  readonly maxTotalMinor: number | null;
  readonly maxShippingMinor: number | null;
  readonly maxSubtotalMinor: number | null;
  readonly maxItemMinor: number | null;
}

export const CONSTRAINT_FIELDS = {
  maxTotalMinor: "max_total_minor",
  maxShippingMinor: "max_shipping_minor",
  maxSubtotalMinor: "max_subtotal_minor",
  maxItemMinor: "max_item_minor",
} as const satisfies Record<keyof Constraints, string>;

/** What a cart costs, as far as it is known. */
export interface Costs {
  readonly subtotalMinor: number;
  /** Null where the shop prices it at checkout only, or nothing is chosen yet. */
  readonly shippingMinor: number | null;
  /** The most that may be charged; null while it is not known. */
  readonly totalMinor: number | null;
  readonly optionId: string | null;
  readonly items: readonly { readonly sku: string; readonly unitPriceMinor: number }[];
}

/**
 * Null where there is no cap at all.
 * @throws {ConstraintsInvalidError} a cap is no amount, or of a name we would have to ignore
 */
export function checkConstraints(given: Readonly<Record<string, unknown>> | null): Constraints | null {
  if (given === null) return null;
  const known = Object.keys(CONSTRAINT_FIELDS);
  const stranger = Object.keys(given).find((name) => !known.includes(name));
  // An unknown cap must not be taken for none.
  if (stranger !== undefined) throw new ConstraintsInvalidError(`constraints.${stranger}`);
  const caps = known.map((name) => {
    const value = given[name] ?? null;
    if (value === null) return [name, null];
    if (!Number.isSafeInteger(value) || (value as number) < 0) throw new ConstraintsInvalidError(`constraints.${name}`);
    return [name, value];
  });
  return caps.every(([, value]) => value === null) ? null : (Object.fromEntries(caps) as unknown as Constraints);
}

/** @throws {ConstraintExceededError | ItemCapExceededError} naming the first cap that is passed */
export function assertWithin(constraints: Constraints | null, costs: Costs): void {
  if (!constraints) return;
  const { maxItemMinor, maxSubtotalMinor, maxShippingMinor, maxTotalMinor } = constraints;
  const dear = costs.items.find(({ unitPriceMinor }) => maxItemMinor !== null && unitPriceMinor > maxItemMinor);
  if (dear && maxItemMinor !== null) throw new ItemCapExceededError(dear.sku, maxItemMinor, dear.unitPriceMinor);
  const check = (kind: "total" | "shipping" | "subtotal", cap: number | null, actual: number | null) => {
    if (cap !== null && actual !== null && actual > cap) {
      throw new ConstraintExceededError(kind, cap, actual, kind === "shipping" ? costs.optionId : null);
    }
  };
  check("subtotal", maxSubtotalMinor, costs.subtotalMinor);
  check("shipping", maxShippingMinor, costs.shippingMinor);
  check("total", maxTotalMinor, costs.totalMinor);
}

/** On a rail that prices delivery at checkout, two of the caps say nothing before. @throws {ConstraintUnverifiableError} */
export function assertVerifiable(constraints: Constraints | null): void {
  if (constraints && (constraints.maxTotalMinor !== null || constraints.maxShippingMinor !== null)) {
    throw new ConstraintUnverifiableError();
  }
}
