import { type Cart, type CartLine, findVariant } from "./carts.ts";
import type { Currency, Money } from "./money.ts";
import type { Product, Shop, Variant } from "./shop.ts";

/** A line with what it is of and what it costs. */
export interface PricedLine extends CartLine {
  product: Product;
  variant: Variant;
  unit: Money;
  total: Money;
}

export function currencyIn(shop: Shop, countryCode: string): Currency {
  return shop.markets[countryCode]?.currency ?? shop.currency;
}

/** What an amount of the shop's own currency is in the buyer's country; half a minor unit goes up. */
export function moneyIn(shop: Shop, countryCode: string, amountMinor: number): Money {
  const [numerator, denominator] = shop.markets[countryCode]?.factor ?? [1, 1];
  const converted = Math.floor((2 * amountMinor * numerator + denominator) / (2 * denominator));
  return { amountMinor: converted, currency: currencyIn(shop, countryCode) };
}

/** Lines as this cart has them; one whose thing the shop sells no more is left out. */
export function pricedLines(shop: Shop, cart: Pick<Cart, "lines" | "countryCode" | "faults">): PricedLine[] {
  return cart.lines.flatMap((line) => {
    const found = findVariant(shop, line.variantId);
    if (!found) return [];
    const { amountMinor, currency } = moneyIn(shop, cart.countryCode, found.variant.priceMinor);
    const unitMinor = spoiled(amountMinor, cart);
    return [
      {
        ...line,
        ...found,
        unit: { amountMinor: unitMinor, currency },
        total: { amountMinor: unitMinor * line.quantity, currency },
      },
    ];
  });
}

export function subtotalOf(shop: Shop, cart: Pick<Cart, "lines" | "countryCode" | "faults">): Money {
  const amountMinor = pricedLines(shop, cart).reduce((sum, { total }) => sum + total.amountMinor, 0);
  return { amountMinor, currency: currencyIn(shop, cart.countryCode) };
}

function spoiled(amountMinor: number, { faults }: Pick<Cart, "faults">): number {
  if (faults.includes("price_change") || faults.includes("price_change_cart")) return Math.ceil(amountMinor * 1.1);
  return faults.includes("price_drop") ? Math.floor(amountMinor * 0.9) : amountMinor;
}
