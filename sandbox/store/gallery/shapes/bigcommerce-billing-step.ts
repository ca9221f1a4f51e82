import { html } from "../../../mail/html.ts";
import { cardFields, typedCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { button, form, raw, script } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import type { Shape } from "../shape.ts";

export const shape: Shape = {
  title: "BigCommerce with a billing step of its own, filled from the delivery address by a button.",
  source: "https://github.com/bigcommerce/checkout-js/blob/master/packages/core/src/app/billing/Billing.tsx",
  market: "US",
  pages: [
    {
      path: "/checkout",
      step: "address",
      content: (view) => form(html`<h1>Shipping</h1>${address(view)} ${deliveryRadios(view)} ${button("Continue")}`),
    },
    {
      path: "/checkout/billing",
      step: "address",
      content: (view) =>
        form(html`<h1>Billing</h1><p><button type="button" id="copy">Use my shipping address</button></p>
        ${address(view, { without: ["email", "company", "address2"], names: { firstName: "billingFirstName", lastName: "billingLastName", address1: "billingAddress1", city: "billingCity", postcode: "billingPostcode", state: "billingState", country: "billingCountry", phone: "billingPhone" } })}
        ${script(`document.getElementById("copy").addEventListener("click", () => { const known = ${JSON.stringify({})}; for (const [name, value] of Object.entries(JSON.parse(document.getElementById("known").textContent))) { const control = document.querySelector("[name=" + name + "]"); if (control) control.value = value; } });`)}
        ${raw(`<script id="known" type="application/json">${JSON.stringify({ billingFirstName: view.order.fields["firstName"], billingLastName: view.order.fields["lastName"], billingAddress1: view.order.fields["address1"], billingCity: view.order.fields["city"], billingPostcode: view.order.fields["postcode"], billingState: view.order.fields["state"] }).replaceAll("<", "\\u003c")}</script>`)}
        ${button("Continue")}`),
    },
    {
      path: "/checkout/payment",
      step: "payment",
      readCard: typedCard,
      content: (view) => form(html`<h1>Payment</h1>${cardFields()} ${totals(view)} ${button("Place Order")}`),
    },
  ],
};
