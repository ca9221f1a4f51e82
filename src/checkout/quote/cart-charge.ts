/** The charge of a cart by the merchant's own total. Amounts are in minor units of one currency. */
import type { PricedCart } from "../storefront/cart.ts";

/** Sums that the cart's total must contain. */
interface Components {
  readonly currency: string;
  /** Sum of the lines after their discounts. */
  readonly subtotalMinor: number;
  /** Price of each selected delivery option, before discounts. */
  readonly deliveryMinor: readonly number[];
}

export interface CartCharge {
  /** Goods and delivery, without tax that is added at checkout. */
  readonly amountMinor: number;
  /** Delivery after its discounts. */
  readonly shippingMinor: number;
  /** Whether the total contains the delivery, so that `amountMinor` is the merchant's figure and no sum of its parts. */
  readonly isStated: boolean;
}

/**
 * Returns what the merchant charges for a cart whose delivery is selected. The cart's own total prevails, because automatic
 * discounts, free delivery and fees apply to the cart and not to its parts. Only a total that leaves out delivery, which
 * discounts do not explain, is completed with the delivery's price. Returns null for a total in another currency.
 */
export function readCartCharge(
  { cost: { totalAmount }, discountAllocations }: PricedCart,
  { currency, subtotalMinor, deliveryMinor }: Components,
): CartCharge | null {
  const amounts = [totalAmount, ...discountAllocations.map(({ discountedAmount }) => discountedAmount)];
  if (amounts.some((amount) => amount.currency !== currency)) return null;
  const sumDiscounts = (isOnDelivery: boolean) =>
    discountAllocations
      .filter(({ targetType }) => (targetType === "SHIPPING_LINE") === isOnDelivery)
      .reduce((sum, { discountedAmount }) => sum + discountedAmount.amountMinor, 0);
  const deliverySum = deliveryMinor.reduce((sum, price) => sum + price, 0);
  const shippingMinor = Math.max(0, deliverySum - sumDiscounts(true));
  const expectedMinor = Math.max(0, subtotalMinor - sumDiscounts(false)) + shippingMinor;
  const missingMinor = expectedMinor - totalAmount.amountMinor;
  const leavesOutDelivery =
    missingMinor > 0 && (missingMinor === shippingMinor || isSumOf(missingMinor, deliveryMinor));
  return leavesOutDelivery
    ? { amountMinor: expectedMinor, shippingMinor, isStated: false }
    : { amountMinor: totalAmount.amountMinor, shippingMinor, isStated: true };
}

/** Reports whether some of the prices add up to the amount. */
function isSumOf(amountMinor: number, prices: readonly number[]): boolean {
  const sums = new Set([0]);
  for (const price of prices) for (const sum of [...sums]) sums.add(sum + price);
  return sums.has(amountMinor);
}
