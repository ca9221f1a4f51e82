import { html } from "../../../mail/html.ts";
import { cardFields, typedCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { button, form } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import { endpoint, type Shape } from "../shape.ts";

export const shape: Shape = {
  title:
    "Drupal Commerce: order information with the card, then a review page whose button is “Pay and complete purchase”.",
  source: "https://docs.drupalcommerce.org/v2/developer-guide/checkout/default-checkout-flow/",
  market: "US",
  pages: [
    {
      path: "/checkout",
      step: "address",
      content: () =>
        form(
          html`<h1>Log in or continue</h1><fieldset><legend>Guest Checkout</legend>${button("Continue as Guest")}</fieldset><fieldset><legend>Returning customer</legend><p><label>Username <input name="login[name]"></label></p><p><label>Password <input type="password" name="login[pass]"></label></p></fieldset>`,
        ),
    },
    {
      path: "/checkout/order_information",
      step: "payment",
      content: (view) =>
        html`<form method="post" action="/checkout/save"><h1>Order information</h1>${address(view)} ${deliveryRadios(view)} ${cardFields({ withName: false, isSplit: true })} ${totals(view)} ${button("Continue to review")}</form>`,
    },
    {
      path: "/checkout/review",
      step: "payment",
      readCard: ({ order }) => order.card,
      content: (view) =>
        form(
          html`<h1>Review</h1><p>Visa ending in ${view.order.card?.number.slice(-4) ?? ""}</p>${totals(view)} ${button("Pay and complete purchase")} <a href="/checkout/order_information">Go back</a>`,
        ),
    },
  ],
  endpoints: [
    endpoint("POST", "/checkout/save", "payment", ({ view, body, response }) => {
      view.order.card = typedCard(view, body);
      response.redirect(303, "/checkout/review");
    }),
  ],
};
