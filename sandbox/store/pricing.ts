import { type Cart, type CartLine, findVariant } from "./carts.ts";
import type { Product, Store, Variant } from "./definition.ts";
import type { Currency, Money } from "./money.ts";

/** A cart line with its product and prices. */
export interface PricedLine extends CartLine {
  product: Product;
  variant: Variant;
  unit: Money;
  /** Before discounts. */
  subtotal: Money;
  /** After discounts on the line. */
  total: Money;
}

export function currencyIn(store: Store, countryCode: string): Currency {
  return store.markets[countryCode]?.currency ?? store.currency;
}

/** Converts an amount from the store's currency to that of the buyer's country. Half a minor unit is rounded up. */
export function moneyIn(store: Store, countryCode: string, amountMinor: number): Money {
  const [numerator, denominator] = store.markets[countryCode]?.factor ?? [1, 1];
  const converted = Math.floor((2 * amountMinor * numerator + denominator) / (2 * denominator));
  return { amountMinor: converted, currency: currencyIn(store, countryCode) };
}

/** Returns the cart's lines with prices. Lines with a variant that no longer exists are omitted. */
export function pricedLines(store: Store, cart: Pick<Cart, "lines" | "countryCode" | "faults">): PricedLine[] {
  return cart.lines.flatMap((line) => {
    const found = findVariant(store, line.variantId);
    if (!found) return [];
    const { amountMinor, currency } = moneyIn(store, cart.countryCode, found.variant.priceMinor);
    const unitMinor = applyPriceFaults(amountMinor, cart);
    const subtotalMinor = unitMinor * line.quantity;
    return [
      {
        ...line,
        ...found,
        unit: { amountMinor: unitMinor, currency },
        subtotal: { amountMinor: subtotalMinor, currency },
        total: {
          amountMinor: subtotalMinor - lineDiscount(store, found.product, line.quantity, subtotalMinor),
          currency,
        },
      },
    ];
  });
}

export function subtotalOf(store: Store, cart: Pick<Cart, "lines" | "countryCode" | "faults">): Money {
  const amountMinor = pricedLines(store, cart).reduce((sum, { total }) => sum + total.amountMinor, 0);
  return { amountMinor, currency: currencyIn(store, cart.countryCode) };
}

function lineDiscount({ discounts = [] }: Store, { handle }: Product, quantity: number, subtotalMinor: number): number {
  const applied = discounts.find(
    (discount) => discount.kind === "lines" && discount.handle === handle && quantity >= discount.fromQuantity,
  );
  return applied?.kind === "lines" ? Math.round((subtotalMinor * applied.basisPoints) / 10_000) : 0;
}

function applyPriceFaults(amountMinor: number, { faults }: Pick<Cart, "faults">): number {
  if (faults.includes("price_change") || faults.includes("price_change_cart")) return Math.ceil(amountMinor * 1.1);
  return faults.includes("price_drop") ? Math.floor(amountMinor * 0.9) : amountMinor;
}
