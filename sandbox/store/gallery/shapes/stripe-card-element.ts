import { html } from "../../../mail/html.ts";
import { oneFrame, tokenCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { button, form } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import type { Shape } from "../shape.ts";

export const shape: Shape = {
  title: "Stripe's Card Element: one frame with number, expiry, code and the postcode, its token in a hidden input.",
  source: "https://docs.stripe.com/payments/card-element",
  market: "US",
  pages: [
    {
      path: "/checkout",
      step: "address",
      content: (view) =>
        form(
          html`<h1>Shipping</h1>${address(view)} ${deliveryRadios(view)} ${totals(view)} ${button("Continue to payment")}`,
        ),
    },
    {
      path: "/checkout/payment",
      step: "payment",
      readCard: tokenCard,
      content: (view) =>
        form(
          html`<h1>Payment</h1><label>Credit or debit card</label>${oneFrame(view, ["number", "expiry", "code", "postcode"])} ${totals(view)} ${button("Submit Payment")}`,
        ),
    },
  ],
};
