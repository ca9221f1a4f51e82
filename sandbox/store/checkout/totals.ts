import { addressErrors } from "../address.ts";
import type { Cart } from "../carts.ts";
import type { Store } from "../definition.ts";
import { type DeliveryOption, deliveryOptions, needsDelivery } from "../delivery.ts";
import { cartDiscounts, sumOf } from "../discounts.ts";
import type { Money } from "../money.ts";
import { subtotalOf } from "../pricing.ts";

/** Totals of a checkout. Null: not known yet. */
export interface Totals {
  subtotal: Money;
  /** Available delivery options; empty without a complete address. */
  options: DeliveryOption[];
  /** The selected option. */
  option: DeliveryOption | undefined;
  /** Automatic discounts on the whole order. */
  discount: Money;
  /** After discounts on delivery. */
  delivery: Money | null;
  /** Added to the prices, or included in them. */
  tax: Money | null;
  total: Money | null;
}

export function totalsOf(store: Store, cart: Cart): Totals {
  const subtotal = subtotalOf(store, cart);
  const { currency } = subtotal;
  const money = (amountMinor: number): Money => ({ amountMinor, currency });
  const isCollected = cart.methods.includes("PICK_UP");
  const hasAddress = cart.address !== null && addressErrors(cart.address).length === 0;
  const options = isCollected || hasAddress ? deliveryOptions(store, cart) : [];
  const option = options.find(({ handle }) => handle === cart.selectedHandle);

  const isShipped = needsDelivery(store, cart);
  const discounts = cartDiscounts(store, cart, option?.cost.amountMinor ?? null);
  const discount = money(sumOf(discounts, "LINE_ITEM"));
  const shared = { subtotal, options, option, discount };
  if (isShipped && !option) return { ...shared, delivery: null, tax: null, total: null };
  const goodsMinor = subtotal.amountMinor - discount.amountMinor;
  const deliveryMinor = isShipped && option ? option.cost.amountMinor - sumOf(discounts, "SHIPPING_LINE") : 0;
  const tax = taxOf(store, cart, goodsMinor, deliveryMinor);
  const total = money(withTax(store, goodsMinor + deliveryMinor, tax));
  return { ...shared, delivery: money(deliveryMinor), tax: money(tax), total };
}

function withTax({ tax }: Store, amountMinor: number, taxMinor: number): number {
  return tax.kind === "added" ? amountMinor + taxMinor : amountMinor;
}

/** Computes tax: added on goods only, or included in goods and delivery. Half a minor unit is rounded up. */
function taxOf({ tax }: Store, { address }: Cart, goodsMinor: number, deliveryMinor: number): number {
  if (tax.kind === "included") {
    const gross = goodsMinor + deliveryMinor;
    return gross - Math.round((gross * 10_000) / (10_000 + tax.basisPoints));
  }
  const country = address?.countryCode ?? "";
  const basisPoints = tax.basisPoints[`${country}-${address?.provinceCode}`] ?? tax.basisPoints[country] ?? 0;
  return Math.round((goodsMinor * basisPoints) / 10_000);
}
