import { html } from "../../../mail/html.ts";
import { cardFields, typedCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { button, form, section } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import type { Shape } from "../shape.ts";

export const shape: Shape = {
  title: "A confirmation that states a successful payment and an invoice, without thanks and the word order.",
  source: "https://docs.stripe.com/payment-links/post-payment",
  market: "US",
  confirmationPath: "/checkout/success",
  confirmation: (view, orderNumber) =>
    html`<h1>Payment successful</h1><p>Invoice number: <strong>${orderNumber}</strong></p><dl><dt>Amount paid</dt><dd>${view.money(view.totalMinor)}</dd></dl><p>A receipt was sent to ${view.order.fields["email"] ?? ""}.</p>`,
  pages: [
    {
      path: "/checkout",
      step: "payment",
      readCard: typedCard,
      content: (view) =>
        form(
          html`${section("Shipping information", address(view), deliveryRadios(view))} ${section("Payment", cardFields())} ${totals(view)} ${button("Pay")}`,
        ),
    },
  ],
};
