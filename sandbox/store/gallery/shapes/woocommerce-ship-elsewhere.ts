import { html } from "../../../mail/html.ts";
import { cardFields, typedCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { button, form, script, section } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import type { Shape } from "../shape.ts";

export const shape: Shape = {
  title: "WooCommerce: billing address first, and a second address form behind “Ship to a different address?”.",
  source:
    "https://github.com/woocommerce/woocommerce/blob/trunk/plugins/woocommerce/templates/checkout/form-shipping.php",
  pages: [
    {
      path: "/checkout",
      step: "payment",
      readCard: typedCard,
      content: (view) =>
        form(html`${section("Billing details", address(view))}
        <h3><label><input type="checkbox" id="elsewhere" name="ship_to_different_address" value="1"> Ship to a different address?</label></h3>
        <div id="shipping-fields" hidden></div>
        <template id="shipping-template">${address(view, { without: ["email", "phone"], names: { firstName: "shipping_first_name", lastName: "shipping_last_name", address1: "shipping_address_1", city: "shipping_city", postcode: "shipping_postcode" } })}</template>
        ${script(`document.getElementById("elsewhere").addEventListener("change", ({ target }) => { const fields = document.getElementById("shipping-fields"); fields.hidden = !target.checked; fields.replaceChildren(...(target.checked ? [document.getElementById("shipping-template").content.cloneNode(true)] : [])); });`)}
        ${section("Delivery", deliveryRadios(view))} ${section("Payment", cardFields())} ${totals(view)} ${button("Place order")}`),
    },
  ],
};
