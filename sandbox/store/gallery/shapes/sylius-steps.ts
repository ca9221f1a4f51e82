import { html } from "../../../mail/html.ts";
import { cardFields, typedCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address, checkbox } from "../markup/fields.ts";
import { button, form } from "../markup/layout.ts";
import { subtotals, totals } from "../markup/totals.ts";
import type { Shape } from "../shape.ts";

export const shape: Shape = {
  title: "Sylius: addressing, select shipping, select payment, then a summary that leads to the card page.",
  source: "https://github.com/Sylius/Sylius/tree/2.0/src/Sylius/Bundle/ShopBundle/templates/checkout",
  isHeldBack: true,
  pages: [
    {
      path: "/checkout/address",
      step: "address",
      content: (view) =>
        form(
          html`<h1>Address</h1>${address(view, { names: { email: "sylius_checkout_address[customer][email]", address1: "sylius_checkout_address[shippingAddress][street]" } })} ${checkbox("differentBillingAddress", "Use different address for billing?")} ${button("Next")}`,
        ),
    },
    {
      path: "/checkout/select-shipping",
      step: "delivery",
      content: (view) => form(html`<h1>Shipping</h1>${deliveryRadios(view)} ${button("Next")}`),
    },
    {
      path: "/checkout/select-payment",
      step: "payment",
      content: () =>
        form(
          html`<h1>Payment</h1><p><label><input type="radio" name="method" value="cash" checked> Cash on delivery</label></p><p><label><input type="radio" name="method" value="card"> Credit card</label></p> ${button("Next")}`,
        ),
    },
    {
      path: "/checkout/complete",
      step: "review",
      content: (view) =>
        form(
          html`<h1>Summary of your order</h1>${totals(view)}<p><label>Extra notes <textarea name="notes"></textarea></label></p> ${button("Place order")}`,
        ),
    },
    {
      path: "/payment/pay",
      step: "payment",
      readCard: typedCard,
      content: (view) =>
        form(
          html`<h1>Pay for your order</h1><p>Total: ${view.money(view.totalMinor)}</p>${cardFields()} ${button("Pay")}`,
        ),
    },
  ],
  cart: (view) => html`<h1>Your shopping cart</h1>${subtotals(view)}<p><a href="/checkout/address">Checkout</a></p>`,
};
