import { html } from "../../../mail/html.ts";
import { cardFields, typedCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address, checkbox } from "../markup/fields.ts";
import { button, form } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import { endpoint, type Shape } from "../shape.ts";

export const shape: Shape = {
  title: "nopCommerce: guest choice, then parts that open after posts, and a confirmation part without card data.",
  source: "https://github.com/nopSolutions/nopCommerce/tree/develop/src/Presentation/Nop.Web/Views/Checkout",
  market: "US",
  pages: [
    {
      path: "/login/checkoutasguest",
      step: "address",
      content: () =>
        html`<h1>Welcome, Please Sign In!</h1><h2>New Customer</h2><p><a href="/onepagecheckout">Checkout as Guest</a></p><h2>Returning Customer</h2><p><label>Email: <input type="email" name="Email"></label></p><p><label>Password: <input type="password" name="Password"></label></p><button type="button">Log in</button>`,
    },
    {
      path: "/onepagecheckout",
      step: "address",
      content: (view) =>
        form(
          html`<h2>Billing address</h2>${checkbox("ShipToSameAddress", "Ship to the same address", "checked")}${address(view, { states: "numbers", required: ["phone"], names: { email: "BillingNewAddress.Email", state: "BillingNewAddress.StateProvinceId", postcode: "BillingNewAddress.ZipPostalCode" } })} ${button("Continue")}`,
        ),
    },
    {
      path: "/checkout/shippingmethod",
      step: "delivery",
      content: (view) => form(html`<h2>Shipping method</h2>${deliveryRadios(view)} ${button("Continue")}`),
    },
    {
      path: "/checkout/paymentinfo",
      step: "payment",
      content: (view) =>
        html`<h2>Payment information</h2><form method="post" action="/checkout/savepayment">${cardFields({ isSplit: true })} ${button("Continue")}</form>${totals(view)}`,
    },
    {
      path: "/checkout/confirm",
      step: "payment",
      readCard: ({ order }) => order.card,
      content: (view) => form(html`<h2>Confirm order</h2>${totals(view)} ${button("Confirm")}`),
    },
  ],
  endpoints: [
    endpoint("POST", "/checkout/savepayment", "payment", ({ view, body, response }) => {
      view.order.card = typedCard(view, body);
      response.redirect(303, "/checkout/confirm");
    }),
  ],
};
