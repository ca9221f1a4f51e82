import { html } from "../../../mail/html.ts";
import { cardFields, typedCard } from "../markup/card.ts";
import { deliveryTable } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { button, onPress, script } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import { endpoint, type Shape } from "../shape.ts";

const STEPS_SCRIPT = `
  document.getElementById("shipping-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    const fields = gallery.fieldsOf(event.target);
    const { delivery, ...address } = fields;
    const { ok, json } = await gallery.send("/rest/default/V1/guest-carts/" + gallery.settings.orderId + "/shipping-information", { addressInformation: { shipping_address: address, billing_address: address, shipping_carrier_code: delivery, delivery } });
    if (!ok) return gallery.show(json.message);
    document.getElementById("step-shipping").hidden = true;
    document.getElementById("step-payment").hidden = false;
    location.hash = "payment";
  });
  document.querySelectorAll("[name='payment[method]']").forEach((radio) => radio.addEventListener("change", () => {
    document.getElementById("card-form").hidden = radio.value !== "card";
  }));`;

export const shape: Shape = {
  title:
    "Magento's Luma theme: two steps at one URL, delivery in a table, REST calls shipping- and payment-information.",
  source:
    "https://github.com/magento/magento2/blob/2.4-develop/app/code/Magento/Checkout/view/frontend/web/js/action/place-order.js",
  cartPath: "/checkout/cart/",
  confirmationPath: "/checkout/onepage/success/",
  pages: [
    {
      path: "/checkout",
      step: "payment",
      content: (view) => html`<ol><li>Shipping</li><li>Review &amp; Payments</li></ol>
        <div id="step-shipping"><form id="shipping-form">${address(view, { hasAutocomplete: false, required: ["phone"], names: { email: "username", firstName: "firstname", lastName: "lastname", address1: "street[0]", address2: "street[1]", country: "country_id", phone: "telephone" } })}
          <h2>Shipping Methods</h2>${deliveryTable(view)} ${button("Next")}</form></div>
        <div id="step-payment" hidden><h2>Payment Method</h2>
          <p><label><input type="radio" name="payment[method]" value="checkmo"> Check / Money order</label></p>
          <p><label><input type="radio" name="payment[method]" value="card"> Credit Card</label></p>
          <form id="card-form" hidden>${cardFields({ withName: false, isSplit: true })} ${button("Place Order", 'title="Place Order"')}</form>
          <h2>Order Summary</h2>${totals(view)}</div>${script(STEPS_SCRIPT)}
        ${onPress(
          "#card-form",
          `const { ok, json } = await gallery.send("/rest/default/V1/guest-carts/" + gallery.settings.orderId + "/payment-information", { cartId: gallery.settings.orderId, paymentMethod: { method: "card", additional_data: gallery.fieldsOf(document.getElementById("card-form")) } });
           if (!ok) throw new Error(json.message);
           location.replace("/checkout/onepage/success/");`,
        )}`,
    },
  ],
  endpoints: [
    endpoint("POST", "/rest/default/V1/guest-carts/:id/shipping-information", "address", ({ response }) => {
      response.json({ payment_methods: [{ code: "card" }] });
    }),
    endpoint(
      "POST",
      "/rest/default/V1/guest-carts/:id/payment-information",
      "payment",
      ({ view, body, response, pay }) => {
        const paid = pay(typedCard(view, body.paymentMethod.additional_data));
        if ("error" in paid) return void response.status(400).json({ message: paid.error });
        response.json("1001");
      },
    ),
  ],
};
