import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readCartCharge } from "../../src/checkout/quote/cart-charge.ts";

const gbp = (amountMinor: number) => ({ amountMinor, currency: "GBP" });
const createCart = (totalMinor: number, discounts: [targetType: string, amountMinor: number][] = []) => ({
  cost: { totalAmount: gbp(totalMinor) },
  discountAllocations: discounts.map(([targetType, amountMinor]) => ({
    targetType,
    discountedAmount: gbp(amountMinor),
  })),
});
const components = { currency: "GBP", subtotalMinor: 2_095, deliveryMinor: [395] };

describe("the charge of a cart", () => {
  it.each([
    ["without discounts", createCart(2_490), { amountMinor: 2_490, shippingMinor: 395, isStated: true }],
    ["with a discount on the order", createCart(2_290, [["LINE_ITEM", 200]]), { amountMinor: 2_290, isStated: true }],
    ["with a discount that the cart does not list", createCart(2_290), { amountMinor: 2_290, isStated: true }],
    ["with free delivery", createCart(2_095, [["SHIPPING_LINE", 395]]), { shippingMinor: 0, isStated: true }],
    ["with a fee", createCart(2_690), { amountMinor: 2_690, isStated: true }],
    ["whose total leaves out delivery", createCart(2_095), { amountMinor: 2_490, isStated: false }],
    [
      "whose discounted total leaves out delivery",
      createCart(1_895, [["LINE_ITEM", 200]]),
      { amountMinor: 2_290, isStated: false },
    ],
  ])("%s", (_kind, cart, charge) => {
    expect(readCartCharge(cart, components)).toMatchObject(charge);
  });

  it("is completed if the total leaves out the delivery of one group", () => {
    const split = { ...components, deliveryMinor: [395, 795] };
    expect(readCartCharge(createCart(2_490), split)).toMatchObject({ amountMinor: 3_285, isStated: false });
  });

  it("is unknown in another currency", () => {
    expect(readCartCharge(createCart(2_490), { ...components, currency: "EUR" })).toBeNull();
    const mixed = { ...createCart(2_490), discountAllocations: [] };
    const foreign = { targetType: "LINE_ITEM", discountedAmount: { amountMinor: 1, currency: "EUR" } };
    expect(readCartCharge({ ...mixed, discountAllocations: [foreign] }, components)).toBeNull();
  });

  it("is the total wherever the listed discounts explain it", () => {
    const amount = fc.integer({ min: 0, max: 100_000 });
    const cart = fc.record({
      subtotal: amount,
      deliveries: fc.array(amount, { maxLength: 4 }),
      off: amount,
      free: amount,
    });
    fc.assert(
      fc.property(cart, ({ subtotal, deliveries, off, free }) => {
        const delivery = deliveries.reduce((sum, price) => sum + price, 0);
        const [onOrder, onDelivery] = [Math.min(off, subtotal), Math.min(free, delivery)];
        const total = subtotal - onOrder + delivery - onDelivery;
        const charge = readCartCharge(
          createCart(total, [
            ["LINE_ITEM", onOrder],
            ["SHIPPING_LINE", onDelivery],
          ]),
          { currency: "GBP", subtotalMinor: subtotal, deliveryMinor: deliveries },
        );
        expect(charge).toEqual({ amountMinor: total, shippingMinor: delivery - onDelivery, isStated: true });
      }),
    );
  });
});
