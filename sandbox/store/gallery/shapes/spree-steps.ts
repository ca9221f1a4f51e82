import { html } from "../../../mail/html.ts";
import { cardFields, typedCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { button, form } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import { endpoint, type Shape } from "../shape.ts";

export const shape: Shape = {
  title:
    "Spree: address, delivery, payment, confirm; the card is posted at the payment and charged at the confirmation.",
  source: "https://github.com/spree/spree/blob/main/core/app/models/spree/order/checkout.rb",
  market: "US",
  pages: [
    {
      path: "/checkout",
      step: "address",
      content: (view) =>
        form(
          html`<h1>Shipping Address</h1>${address(view, { names: { firstName: "order[ship_address_attributes][firstname]", lastName: "order[ship_address_attributes][lastname]", address1: "order[ship_address_attributes][address1]", city: "order[ship_address_attributes][city]", postcode: "order[ship_address_attributes][zipcode]", state: "order[ship_address_attributes][state_id]" }, states: "numbers" })} ${button("Save and Continue")}`,
        ),
    },
    {
      path: "/checkout/delivery",
      step: "delivery",
      content: (view) =>
        form(html`<h1>Delivery</h1>${deliveryRadios(view)} ${totals(view)} ${button("Save and Continue")}`),
    },
    {
      path: "/checkout/payment",
      step: "payment",
      content: (view) =>
        html`<h1>Payment Information</h1><form method="post" action="/checkout/update/payment">${cardFields()} ${totals(view)} ${button("Save and Continue")}</form>`,
    },
    {
      path: "/checkout/confirm",
      step: "payment",
      readCard: ({ order }) => order.card,
      content: (view) =>
        form(
          html`<h1>Confirm</h1><p>Card ending in ${view.order.card?.number.slice(-4) ?? ""}</p>${totals(view)} ${button("Place Order")}`,
        ),
    },
  ],
  endpoints: [
    endpoint("POST", "/checkout/update/payment", "payment", ({ view, body, response }) => {
      view.order.card = typedCard(view, body);
      response.redirect(303, "/checkout/confirm");
    }),
  ],
};
