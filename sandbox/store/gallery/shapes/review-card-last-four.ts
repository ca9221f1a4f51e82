import { html } from "../../../mail/html.ts";
import { cardFields, typedCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { button, form, section } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import { endpoint, type Shape } from "../shape.ts";

export const shape: Shape = {
  title: "“Next: review order” posts the card; the review shows its last digits and places the order without it.",
  source: "https://www.w3.org/WAI/WCAG22/Understanding/error-prevention-legal-financial-data.html",
  pages: [
    {
      path: "/checkout",
      step: "payment",
      content: (view) =>
        html`<form method="post" action="/checkout/store">${section("Delivery address", address(view), deliveryRadios(view))} ${section("Payment", cardFields())} ${totals(view)} ${button("Next: Review order")}</form>`,
    },
    {
      path: "/checkout/review",
      step: "payment",
      readCard: ({ order }) => order.card,
      content: (view) =>
        form(
          html`<h1>Review your order</h1><p>Card •••• ${view.order.card?.number.slice(-4) ?? ""}</p>${totals(view)} ${button("Place order")}`,
        ),
    },
  ],
  endpoints: [
    endpoint("POST", "/checkout/store", "payment", ({ view, body, response }) => {
      view.order.card = typedCard(view, body);
      response.redirect(303, "/checkout/review");
    }),
  ],
};
