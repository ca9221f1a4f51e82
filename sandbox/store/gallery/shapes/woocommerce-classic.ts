import { html } from "../../../mail/html.ts";
import { cardFields, typedCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address, checkbox } from "../markup/fields.ts";
import { button, onPress, script, section } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import { endpoint, type Shape } from "../shape.ts";
import { select2 } from "../widgets.ts";

const NAMES = {
  ...{
    email: "billing_email",
    country: "billing_country",
    firstName: "billing_first_name",
    lastName: "billing_last_name",
  },
  ...{ company: "billing_company", address1: "billing_address_1", address2: "billing_address_2", city: "billing_city" },
  ...{ state: "billing_state", postcode: "billing_postcode", phone: "billing_phone" },
};

export const shape: Shape = {
  title: "WooCommerce's shortcode checkout: select2, totals by update_order_review, payment by ?wc-ajax=checkout.",
  source:
    "https://github.com/woocommerce/woocommerce/blob/trunk/plugins/woocommerce/client/legacy/js/frontend/checkout.js",
  market: "US",
  cartPath: "/basket/",
  confirmationPath: "/checkout/order-received/1001/",
  pages: [
    {
      path: "/checkout",
      step: "payment",
      content: (view) => html`<form name="checkout" class="checkout woocommerce-checkout" id="checkout">
        ${section("Billing details", address(view, { names: NAMES, required: ["phone"] }), html`<p><label>Order notes (optional) <textarea name="order_comments"></textarea></label></p>`)}
        ${section("Your order", html`<div id="order_review">${totals(view)}${deliveryRadios(view)}</div>`)}
        <div id="payment"><p><label><input type="radio" name="payment_method" value="cod"> Cash on delivery</label></p>
          <p><label><input type="radio" name="payment_method" value="card" checked> Credit card</label></p>${cardFields({ withName: false })}</div>
        ${checkbox("terms", "I have read and agree to the website terms and conditions *", "required")}
        ${button("Place order", 'name="woocommerce_checkout_place_order" id="place_order"')}</form>
        ${select2("select[name=billing_country], select[name=billing_state]")}
        ${script(`let timer; document.getElementById("checkout").addEventListener("change", () => { clearTimeout(timer); timer = setTimeout(() => gallery.send("/wc?wc-ajax=update_order_review", new URLSearchParams({ country: "US", delivery: document.querySelector("[name=delivery]:checked").value })), 300); });`)}
        ${onPress(
          "#checkout",
          `const { json } = await gallery.send("/wc?wc-ajax=checkout", new URLSearchParams(new FormData(document.getElementById("checkout"))));
           if (json.result !== "success") throw new Error(json.messages);
           location.href = json.redirect;`,
        )}`,
    },
  ],
  endpoints: [
    endpoint("POST", "/wc", "payment", ({ view, body, request, response, pay }) => {
      if (request.query["wc-ajax"] !== "checkout") return void response.json({ result: "success", fragments: {} });
      const paid = pay(typedCard(view, body));
      if ("error" in paid) return void response.json({ result: "failure", messages: paid.error });
      response.json({ result: "success", redirect: "/checkout/order-received/1001/?key=wc_order_1" });
    }),
  ],
};
