import { html } from "../../../mail/html.ts";
import { cardFields, typedCard } from "../markup/card.ts";
import { deliveryTable } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { button, form, script } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import { endpoint, type Shape } from "../shape.ts";

export const shape: Shape = {
  title: "Magento: required US regions have numeric ids as values, and the delivery rates load after the address.",
  source: "https://developer.adobe.com/commerce/webapi/rest/tutorials/orders/order-prepare-checkout/",
  market: "US",
  cartPath: "/checkout/cart/",
  pages: [
    {
      path: "/checkout",
      step: "address",
      content: (
        view,
      ) => html`${form(html`<h1>Shipping address</h1>${address(view, { hasAutocomplete: false, states: "numbers", names: { state: "region_id", country: "country_id", address1: "street[0]", address2: "street[1]", phone: "telephone" }, required: ["phone"], labels: { state: "State/Province", postcode: "Zip/Postal Code", phone: "Phone Number" } })}
        <h2>Shipping methods</h2><div id="rates">Sorry, no quotes are available for this order at this time</div> ${button("Next", "id=next disabled")}`)}
        <template id="rates-template">${deliveryTable(view)}</template>
        ${script(`document.querySelector("form").addEventListener("change", async ({ target }) => {
          if (target.name !== "postcode" && target.name !== "region_id") return;
          await gallery.send("/rest/default/V1/guest-carts/" + gallery.settings.orderId + "/estimate-shipping-methods", { address: gallery.fieldsOf() });
          const rates = document.getElementById("rates");
          if (!rates.querySelector("table")) rates.replaceChildren(document.getElementById("rates-template").content.cloneNode(true));
          document.getElementById("next").disabled = false;
        });`)}`,
    },
    {
      path: "/checkout/payment",
      step: "payment",
      readCard: typedCard,
      content: (view) =>
        form(
          html`<h1>Review &amp; Payments</h1>${cardFields({ withName: false })} ${totals(view)} ${button("Place Order")}`,
        ),
    },
  ],
  endpoints: [
    endpoint("POST", "/rest/default/V1/guest-carts/:id/estimate-shipping-methods", "address", ({ response }) => {
      response.json([{ carrier_code: "standard" }, { carrier_code: "express" }]);
    }),
  ],
};
