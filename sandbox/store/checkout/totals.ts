import { addressErrors } from "../address.ts";
import type { Cart } from "../carts.ts";
import { type DeliveryOption, deliveryOptions, needsDelivery } from "../delivery.ts";
import type { Money } from "../money.ts";
import { subtotalOf } from "../pricing.ts";
import type { Shop } from "../shop.ts";

/** What a checkout comes to. Null is what cannot be said yet. */
export interface Totals {
  subtotal: Money;
  /** Ways that exist for what is known; empty before there is a whole address. */
  options: DeliveryOption[];
  /** The way that was chosen. */
  option: DeliveryOption | undefined;
  delivery: Money | null;
  /** Added on top, or contained in the prices. */
  tax: Money | null;
  total: Money | null;
}

export function totalsOf(shop: Shop, cart: Cart): Totals {
  const subtotal = subtotalOf(shop, cart);
  const { currency } = subtotal;
  const money = (amountMinor: number): Money => ({ amountMinor, currency });
  const isCollected = cart.methods.includes("PICK_UP");
  const hasAddress = cart.address !== null && addressErrors(cart.address).length === 0;
  const options = isCollected || hasAddress ? deliveryOptions(shop, cart) : [];
  const option = options.find(({ handle }) => handle === cart.selectedHandle);

  if (!needsDelivery(shop, cart)) {
    const tax = taxOf(shop, cart, subtotal.amountMinor, 0);
    return {
      subtotal,
      options,
      option,
      delivery: money(0),
      tax: money(tax),
      total: money(withTax(shop, subtotal.amountMinor, tax)),
    };
  }
  if (!option) return { subtotal, options, option, delivery: null, tax: null, total: null };
  const tax = taxOf(shop, cart, subtotal.amountMinor, option.cost.amountMinor);
  const net = subtotal.amountMinor + option.cost.amountMinor;
  return { subtotal, options, option, delivery: option.cost, tax: money(tax), total: money(withTax(shop, net, tax)) };
}

function withTax({ tax }: Shop, amountMinor: number, taxMinor: number): number {
  return tax.kind === "added" ? amountMinor + taxMinor : amountMinor;
}

/** Added on goods alone; contained in goods and delivery. Half a minor unit goes up. */
function taxOf({ tax }: Shop, { address }: Cart, goodsMinor: number, deliveryMinor: number): number {
  if (tax.kind === "included") {
    const gross = goodsMinor + deliveryMinor;
    return gross - Math.round((gross * 10_000) / (10_000 + tax.basisPoints));
  }
  const country = address?.countryCode ?? "";
  const basisPoints = tax.basisPoints[`${country}-${address?.provinceCode}`] ?? tax.basisPoints[country] ?? 0;
  return Math.round((goodsMinor * basisPoints) / 10_000);
}
