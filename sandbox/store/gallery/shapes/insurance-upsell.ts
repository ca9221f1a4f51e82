import { html } from "../../../mail/html.ts";
import { cardFields, typedCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { button, form, section } from "../markup/layout.ts";
import { subtotals, totals } from "../markup/totals.ts";
import type { Shape } from "../shape.ts";

export const shape: Shape = {
  title: "A page between cart and checkout offers a warranty: a button adds it, a link declines it.",
  source: "https://docs.extend.com",
  cart: (view) => html`<h1>Your basket</h1>${subtotals(view)}<p><a class="button" href="/protection">Checkout</a></p>`,
  pages: [
    {
      path: "/protection",
      step: "address",
      content: (view) =>
        html`${form(html`<h1>Protect your mug for 3 years</h1><p>Add cover for ${view.money(999)}</p><input type="hidden" name="insurance" value="yes">${button("Add protection")}`)}<p><a href="/checkout">No thanks</a></p>`,
    },
    {
      path: "/checkout",
      step: "payment",
      readCard: typedCard,
      content: (view) =>
        form(
          html`${section("Delivery address", address(view), deliveryRadios(view))} ${section("Payment", cardFields())} ${totals(view)} ${button("Pay now")}`,
        ),
    },
  ],
};
