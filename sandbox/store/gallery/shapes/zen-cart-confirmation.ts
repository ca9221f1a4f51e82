import { html } from "../../../mail/html.ts";
import { cardFields, typedCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { button, form } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import { endpoint, type Shape } from "../shape.ts";
import { select2 } from "../widgets.ts";

export const shape: Shape = {
  title: "Zen Cart: three steps, then a confirmation with the card in hidden inputs and an image as its button.",
  source: "https://github.com/zencart/zencart/tree/master/includes/templates/template_default/templates",
  market: "US",
  pages: [
    {
      path: "/checkout_guest",
      step: "address",
      content: (view) =>
        form(
          html`<h1>Your Information</h1>${address(view, { hasAutocomplete: false, names: { email: "email_address", firstName: "firstname", lastName: "lastname", address1: "street_address", address2: "suburb", state: "zone_id", country: "zone_country_id", phone: "telephone" }, labels: { address1: "Street Address:", address2: "Address Line 2:", state: "State/Province:", postcode: "Post/Zip Code:" }, states: "numbers", required: ["phone"] })} ${button("Continue")}${select2("[name=zone_id]")}`,
        ),
    },
    {
      path: "/checkout_shipping",
      step: "delivery",
      content: (view) =>
        form(
          html`<h1>Step 1 of 3 - Delivery Information</h1>${deliveryRadios(view)} <input type="image" src="data:," alt="Continue" title="Continue">`,
        ),
    },
    {
      path: "/checkout_payment",
      step: "payment",
      content: (view) =>
        html`<h1>Step 2 of 3 - Payment Information</h1>${totals(view)}<form method="post" action="/checkout_payment/save"><fieldset><legend>Payment Method</legend><label><input type="radio" name="payment" value="authorizenet" checked> Credit Card</label></fieldset>${cardFields({ isSplit: true, autocomplete: false })}<p><strong>Continue to Step 3</strong> - to confirm your order.</p><input type="image" src="data:," alt="Continue" title="Continue"></form>`,
    },
    {
      path: "/checkout_confirmation",
      step: "payment",
      readCard: typedCard,
      content: (view) =>
        form(
          html`<h1>Step 3 of 3 - Order Confirmation</h1>${totals(view)}<input type="hidden" name="card_number" value="${view.order.card?.number ?? ""}"><input type="hidden" name="card_expiry" value="${view.order.card?.expiry ?? ""}"><input type="hidden" name="card_code" value="${view.order.card?.code ?? ""}"><p><strong>Final Step</strong> - continue to confirm your order. Thank you!</p><input type="image" src="data:," alt="Confirm the Order" title="Confirm the Order">`,
        ),
    },
  ],
  endpoints: [
    endpoint("POST", "/checkout_payment/save", "payment", ({ view, body, response }) => {
      view.order.card = typedCard(view, body);
      response.redirect(303, "/checkout_confirmation");
    }),
  ],
};
