import { html } from "../../../mail/html.ts";
import { cardFields, typedCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { button, form, section } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import type { Shape } from "../shape.ts";

export const shape: Shape = {
  title: "One page with one form: address, delivery, card fields of the merchant.",
  source: "https://web.dev/articles/payment-and-address-form-best-practices",
  pages: [
    {
      path: "/checkout",
      step: "payment",
      readCard: typedCard,
      content: (view) =>
        form(html`<h1>Checkout</h1>
          ${section("Contact and delivery address", address(view))}
          ${section("Delivery", deliveryRadios(view))}
          ${section("Payment", cardFields())}
          ${totals(view)} ${button("Pay now")}`),
    },
  ],
};
