import { html } from "../../../mail/html.ts";
import { cardFields, typedCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { button, form } from "../markup/layout.ts";
import { subtotals, totals } from "../markup/totals.ts";
import type { Shape } from "../shape.ts";

export const shape: Shape = {
  title: "A page for each step, with a review of the order before the card.",
  source: "https://design-system.service.gov.uk/patterns/check-answers/",
  pages: [
    {
      path: "/checkout",
      step: "address",
      content: (view) =>
        form(html`<h1>Your address</h1>${address(view)} ${subtotals(view)} ${button("Continue to delivery")}`),
    },
    {
      path: "/checkout/delivery",
      step: "delivery",
      content: (view) =>
        form(html`<h1>Delivery</h1>${deliveryRadios(view)} ${subtotals(view)} ${button("Continue to review")}`),
    },
    {
      path: "/checkout/review",
      step: "review",
      content: (view) =>
        form(html`<h1>Review your order</h1>
          <p>${view.order.fields["firstName"] ?? ""} ${view.order.fields["lastName"] ?? ""}, ${view.order.fields["address1"] ?? ""},
          ${view.order.fields["postcode"] ?? ""} ${view.order.fields["city"] ?? ""} <a href="/checkout">Change</a></p>
          ${totals(view)} ${button("Continue to payment")}`),
    },
    {
      path: "/checkout/payment",
      step: "payment",
      readCard: typedCard,
      content: (view) => form(html`<h1>Payment</h1>${cardFields()} ${totals(view)} ${button("Pay now")}`),
    },
  ],
};
