/** Spending caps of a request, in minor units of the order's currency (spec section 2.12). */
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

/** Known costs of a cart, in minor units of `currency`. */
export interface Costs {
  readonly currency: string;
  readonly subtotalMinor: number;
  /** Null if the merchant prices delivery only at checkout, or no option is selected. */
  readonly shippingMinor: number | null;
  /** Maximum charge; null if unknown. */
  readonly totalMinor: number | null;
  readonly optionId: string | null;
  readonly items: readonly { readonly sku: string; readonly unitPriceMinor: number }[];
}

/**
 * Validates caps. Returns null if no cap is set.
 * @throws {ConstraintsInvalidError} a cap is not a non-negative integer, or its name is unknown
 */
export function checkConstraints(given: Readonly<Record<string, unknown>> | null): Constraints | null {
  if (given === null) return null;
  const known = Object.keys(CONSTRAINT_FIELDS);
  const unknownName = Object.keys(given).find((name) => !known.includes(name));
  // Ignoring an unknown cap would exceed it.
  if (unknownName !== undefined) throw new ConstraintsInvalidError(`constraints.${unknownName}`);
  const caps = known.map((name) => {
    const value = given[name] ?? null;
    if (value === null) return [name, null];
    if (!Number.isSafeInteger(value) || (value as number) < 0) throw new ConstraintsInvalidError(`constraints.${name}`);
    return [name, value];
  });
  return caps.every(([, value]) => value === null) ? null : (Object.fromEntries(caps) as unknown as Constraints);
}

/** Checks costs against the caps. @throws {ConstraintExceededError | ItemCapExceededError} naming the first exceeded cap */
export function assertWithinCaps(constraints: Constraints | null, costs: Costs): void {
  if (!constraints) return;
  const { maxItemMinor, maxSubtotalMinor, maxShippingMinor, maxTotalMinor } = constraints;
  const expensiveItem = costs.items.find(
    ({ unitPriceMinor }) => maxItemMinor !== null && unitPriceMinor > maxItemMinor,
  );
  const toMoney = (amountMinor: number) => ({ amountMinor, currency: costs.currency });
  if (expensiveItem && maxItemMinor !== null) {
    throw new ItemCapExceededError(expensiveItem.sku, toMoney(maxItemMinor), toMoney(expensiveItem.unitPriceMinor));
  }
  const check = (kind: "total" | "shipping" | "subtotal", cap: number | null, actual: number | null) => {
    if (cap !== null && actual !== null && actual > cap) {
      const optionId = kind === "shipping" ? costs.optionId : null;
      throw new ConstraintExceededError(kind, toMoney(cap), toMoney(actual), optionId);
    }
  };
  check("subtotal", maxSubtotalMinor, costs.subtotalMinor);
  check("shipping", maxShippingMinor, costs.shippingMinor);
  check("total", maxTotalMinor, costs.totalMinor);
}

/**
 * Rejects caps that cannot be verified before checkout: on a rail that prices delivery only there, those on total and
 * delivery.
 * @throws {ConstraintUnverifiableError}
 */
export function assertVerifiable(constraints: Constraints | null): void {
  if (constraints && (constraints.maxTotalMinor !== null || constraints.maxShippingMinor !== null)) {
    throw new ConstraintUnverifiableError();
  }
}
