import type { Cart } from "./carts.ts";
import type { Store } from "./definition.ts";
import { deliveryOptions, selectedOption } from "./delivery.ts";
import { moneyIn, subtotalOf } from "./pricing.ts";

/** A cart-level part of an automatic discount, as the Storefront API reports it. Amounts are in the cart's currency. */
export interface DiscountAllocation {
  title: string;
  targetType: "LINE_ITEM" | "SHIPPING_LINE";
  amountMinor: number;
}

/**
 * Returns the automatic discounts on the whole cart and on its delivery. Discounts on single lines are part of the lines'
 * totals.
 * @param deliveryMinor price of the selected delivery; null if none is selected
 */
export function cartDiscounts(store: Store, cart: Cart, deliveryMinor: number | null): DiscountAllocation[] {
  const subtotal = subtotalOf(store, cart).amountMinor;
  const inCurrency = (amountMinor: number) => moneyIn(store, cart.countryCode, amountMinor).amountMinor;
  return (store.discounts ?? []).flatMap((discount): DiscountAllocation[] => {
    if (discount.kind === "lines" || subtotal < inCurrency(discount.fromMinor)) return [];
    const { title } = discount;
    if (discount.kind === "order") {
      return [{ title, targetType: "LINE_ITEM", amountMinor: Math.min(subtotal, inCurrency(discount.amountMinor)) }];
    }
    return deliveryMinor ? [{ title, targetType: "SHIPPING_LINE", amountMinor: deliveryMinor }] : [];
  });
}

/** Returns the price of the delivery that the cart has selected; null before its rates were requested. */
export function selectedDeliveryMinor(store: Store, cart: Cart): number | null {
  if (!cart.isRated) return null;
  return selectedOption(deliveryOptions(store, cart), cart)?.cost.amountMinor ?? null;
}

/** Returns the sum of the allocations of one kind. */
export function sumOf(
  allocations: readonly DiscountAllocation[],
  targetType: DiscountAllocation["targetType"],
): number {
  return allocations
    .filter((allocation) => allocation.targetType === targetType)
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}
