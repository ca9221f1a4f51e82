import { html } from "../../../mail/html.ts";
import { oneFrame, tokenCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address, checkbox } from "../markup/fields.ts";
import { button, form, payButton } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import { endpoint, type Shape } from "../shape.ts";
import { intlTelInput } from "../widgets.ts";

export const shape: Shape = {
  title: "Vue Storefront: steps with pages of their own, a telephone field with a country list, and “Make an order”.",
  source: "https://github.com/vuestorefront/vue-storefront/tree/main/packages",
  pages: [
    {
      path: "/checkout/shipping",
      step: "address",
      content: (view) =>
        form(
          html`<h1>Shipping</h1>${address(view, { without: ["company"], required: ["phone"], labels: { address1: "Street name", postcode: "Zip-code", phone: "Phone number" } })} ${deliveryRadios(view)} ${button("Continue to billing")}${intlTelInput("[type=tel]", "GB")}`,
        ),
    },
    {
      path: "/checkout/billing",
      step: "address",
      content: () =>
        form(
          html`<h1>Billing</h1>${checkbox("sameAsShipping", "Copy address data from shipping", "checked")} ${button("Continue to payment")}`,
        ),
    },
    {
      path: "/checkout/payment",
      step: "payment",
      content: (view) =>
        html`<h1>Payment</h1>${totals(view)} ${oneFrame(view)} ${checkbox("terms", "I agree to Terms and conditions")}
        ${payButton(
          "Make an order",
          `if (!document.querySelector("[name=terms]").checked) throw new Error("Accept the terms.");
           const payment_token = await gallery.askFrame("tokenise");
           const { ok, json } = await gallery.send("/api/checkout/makeOrder", { payment_token });
           if (!ok) throw new Error(json.message);
           location.href = "/thanks?order=" + json.order.id;`,
        )}<button type="button" onclick="history.back()">Go back</button>`,
    },
  ],
  endpoints: [
    endpoint("POST", "/api/checkout/makeOrder", "payment", ({ view, body, response, pay }) => {
      const paid = pay(tokenCard(view, body));
      if ("error" in paid) response.status(400).json({ message: paid.error });
      else response.json({ order: { id: paid.orderNumber } });
    }),
  ],
};
