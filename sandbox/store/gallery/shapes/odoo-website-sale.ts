import { html } from "../../../mail/html.ts";
import { cardFields, typedCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address, checkbox } from "../markup/fields.ts";
import { button, form, script } from "../markup/layout.ts";
import { subtotals, totals } from "../markup/totals.ts";
import type { Shape } from "../shape.ts";

export const shape: Shape = {
  title: "Odoo: address page with one name field, extra step for delivery and payment with a collapsed card form.",
  source: "https://github.com/odoo/odoo/blob/18.0/addons/website_sale/views/templates.xml",
  isHeldBack: true,
  cart: (view) => html`<h1>Order summary</h1>${subtotals(view)}<p><a href="/checkout">Sign in / Checkout</a></p>`,
  pages: [
    {
      path: "/checkout",
      step: "address",
      content: (view) =>
        form(
          html`<h1>Your Address</h1><p><label>Full name * <input name="name" autocomplete="name" required></label></p>${address(view, { without: ["firstName", "lastName"], names: { address1: "street", address2: "street2", postcode: "zip", company: "company_name" }, labels: { address1: "Street and Number *", company: "Company Name", phone: "Phone *" }, required: ["phone"] })}<p><label>VAT <input name="vat"></label></p> ${button("Confirm")}`,
        ),
    },
    {
      path: "/shop/payment",
      step: "payment",
      readCard: typedCard,
      content: (view) =>
        form(html`<h1>Delivery method</h1>${deliveryRadios(view)}<h1>Payment method</h1><p><label><input type="radio" name="o_payment_radio" value="wire"> Wire Transfer</label></p><p><label><input type="radio" name="o_payment_radio" value="card"> Card</label></p>
        <div id="card" hidden>${cardFields({ withName: false })}</div>${totals(view)} ${checkbox("accept", "I agree to the terms & conditions")} ${button("Pay now", "disabled id=pay")}
        ${script(`const sync = () => {
          const isCard = document.querySelector("[name=o_payment_radio][value=card]").checked;
          document.getElementById("card").hidden = !isCard;
          document.getElementById("pay").disabled = !isCard || !document.querySelector("[name=accept]").checked;
        };
        document.querySelector("form").addEventListener("change", sync);`)}`),
    },
  ],
};
