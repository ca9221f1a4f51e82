import { html } from "../../../mail/html.ts";
import { oneFrame, tokenCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address, checkbox } from "../markup/fields.ts";
import { button, form } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import { endpoint, type Shape } from "../shape.ts";

export const shape: Shape = {
  title: "Solidus: a tokenised card, a confirm page with terms, then the charge without any card data.",
  source: "https://github.com/solidusio/solidus_starter_frontend/tree/main/templates/app/views/checkouts",
  isHeldBack: true,
  pages: [
    {
      path: "/checkout",
      step: "address",
      content: (view) =>
        form(
          html`<h1>Billing Address</h1>${address(view, { required: ["phone"] })} ${checkbox("use_billing", "Use Billing Address for shipping", "checked")} ${button("Save and Continue")}`,
        ),
    },
    {
      path: "/checkout/delivery",
      step: "delivery",
      content: (view) => form(html`<h1>Delivery</h1>${deliveryRadios(view)} ${button("Save and Continue")}`),
    },
    {
      path: "/checkout/payment",
      step: "payment",
      content: (view) =>
        html`<h1>Payment</h1><form method="post" action="/checkout/update/payment">${oneFrame(view)} ${totals(view)} ${button("Save and Continue")}</form>`,
    },
    {
      path: "/checkout/confirm",
      step: "payment",
      readCard: ({ order }) => order.card,
      content: (view) =>
        form(
          html`<h1>Confirm</h1><p>Ending in ${view.order.card?.number.slice(-4) ?? ""}</p>${totals(view)} ${checkbox("accept_terms_of_service", "Agree to Terms of Service", "required")} ${button("Place Order")}`,
        ),
    },
  ],
  endpoints: [
    endpoint("POST", "/checkout/update/payment", "payment", ({ view, body, response }) => {
      view.order.card = tokenCard(view, body);
      response.redirect(303, "/checkout/confirm");
    }),
  ],
};
