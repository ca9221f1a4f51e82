import { html } from "../../../mail/html.ts";
import { cardFields, typedCard } from "../markup/card.ts";
import { deliverySelect } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { button, form } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import { endpoint, type Shape } from "../shape.ts";

export const shape: Shape = {
  title:
    "Django Oscar: gateway page, address, method, payment details, then a preview whose form carries the card in hidden inputs.",
  source: "https://github.com/django-oscar/django-oscar/tree/master/src/oscar/templates/oscar/checkout",
  pages: [
    {
      path: "/checkout",
      step: "address",
      content: (view) =>
        form(
          html`<h1>Who are you?</h1>${address(view, { only: ["email"], names: { email: "username" }, labels: { email: "My email address is" } })}<p><label><input type="radio" name="options" value="anonymous" checked> I am a new customer, checkout as a guest</label></p><p><label><input type="radio" name="options" value="existing"> I am a returning customer</label></p> ${button("Continue")}`,
        ),
    },
    {
      path: "/checkout/shipping-address",
      step: "address",
      content: (view) =>
        form(
          html`<h1>Where should we ship to?</h1>${address(view, { without: ["email", "company"], hasAutocomplete: false, names: { address1: "line1", address2: "line2", city: "line4" }, labels: { address1: "First line of address", address2: "Second line of address", postcode: "Post/Zip-code", phone: "Phone number" } })} ${button("Continue")}`,
        ),
    },
    {
      path: "/checkout/shipping-method",
      step: "delivery",
      content: (view) => form(html`<h1>Shipping method</h1>${deliverySelect(view)} ${button("Select this method")}`),
    },
    {
      path: "/checkout/payment-details",
      step: "payment",
      content: (view) =>
        html`<h1>Enter payment details</h1><form method="post" action="/checkout/details">${cardFields({ isSplit: true })} ${totals(view)} ${button("Continue")}</form>`,
    },
    {
      path: "/checkout/preview",
      step: "payment",
      readCard: typedCard,
      content: (view) =>
        form(
          html`<h1>Preview order</h1>${totals(view)}<input type="hidden" name="card_number" value="${view.order.card?.number ?? ""}"><input type="hidden" name="card_expiry" value="${view.order.card?.expiry ?? ""}"><input type="hidden" name="card_code" value="${view.order.card?.code ?? ""}"> ${button("Place order")}`,
        ),
    },
  ],
  endpoints: [
    endpoint("POST", "/checkout/details", "payment", ({ view, body, response }) => {
      view.order.card = typedCard(view, body);
      response.redirect(303, "/checkout/preview");
    }),
  ],
};
