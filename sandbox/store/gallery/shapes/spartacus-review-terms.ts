import { html } from "../../../mail/html.ts";
import { cardFields, typedCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { button, form, onPress, script } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import { endpoint, type Shape } from "../shape.ts";

export const shape: Shape = {
  title: "Spartacus: the card is stored before the review, whose button is off until its terms are accepted.",
  source:
    "https://github.com/SAP/spartacus/blob/develop/feature-libs/checkout/base/assets/translations/en/checkout.i18n.ts",
  pages: [
    {
      path: "/checkout/delivery-address",
      step: "address",
      content: (view) => form(html`<h1>Delivery Address</h1>${address(view)} ${button("Continue")}`),
    },
    {
      path: "/checkout/delivery-mode",
      step: "delivery",
      content: (view) => form(html`<h1>Delivery Method</h1>${deliveryRadios(view)} ${button("Continue")}`),
    },
    {
      path: "/checkout/payment-details",
      step: "payment",
      content: (view) =>
        html`<h1>Payment Details</h1><form id="payment">${cardFields({ isSplit: true })}<p><label><input type="checkbox" name="same" checked> Same as shipping address</label></p> ${button("Continue")}</form>${totals(view)}
        ${onPress(
          "#payment",
          `const { ok } = await gallery.send("/occ/v2/carts/current/paymentdetails", gallery.fieldsOf(document.getElementById("payment")));
           if (!ok) throw new Error("Check your card details.");
           location.href = "/checkout/review-order";`,
        )}`,
    },
    {
      path: "/checkout/review-order",
      step: "payment",
      content: (view) =>
        html`<h1>Review</h1><p>Payment: Visa ************${view.order.card?.number.slice(-4) ?? ""}</p>${totals(view)}
        <form id="place"><p><label><input type="checkbox" name="termsAndConditions"> I am confirming that I have read and agreed with the <a href="/terms" target="_blank">Terms &amp; Conditions</a></label></p>${button("Place Order", "disabled")}</form>
        ${script(`document.querySelector("[name=termsAndConditions]").addEventListener("change", ({ target }) => {
          document.querySelector("#place button").disabled = !target.checked;
        });`)}
        ${onPress(
          "#place",
          `const { ok, json } = await gallery.send("/occ/v2/orders?cartId=" + gallery.settings.orderId + "&termsChecked=true", {});
           if (!ok) throw new Error(json.message);
           location.href = "/thanks";`,
        )}`,
    },
  ],
  endpoints: [
    endpoint("POST", "/occ/v2/carts/current/paymentdetails", "payment", ({ view, body, response }) => {
      view.order.card = typedCard(view, body);
      response.status(201).json({ cardType: { code: "visa" } });
    }),
    endpoint("POST", "/occ/v2/orders", "payment", ({ view, response, pay }) => {
      const paid = pay(view.order.card);
      if ("error" in paid) response.status(400).json({ message: paid.error });
      else response.status(201).json({ code: paid.orderNumber });
    }),
  ],
};
