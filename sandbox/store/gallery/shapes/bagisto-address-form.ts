import { html } from "../../../mail/html.ts";
import { cardFields, typedCard } from "../markup/card.ts";
import { deliveryOptions } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { onPress, script } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import { endpoint, type Shape } from "../shape.ts";

export const shape: Shape = {
  title:
    "Bagisto: a billing address that is used for the delivery, hidden radio buttons with two labels each, and sections that open by the choice itself.",
  source: "https://github.com/bagisto/bagisto/tree/2.x/packages/Webkul/Shop/src/Resources/views/checkout/onepage",
  pages: [
    {
      path: "/checkout/onepage",
      step: "payment",
      content: (
        view,
      ) => html`<form id="address"><h2>Billing Address</h2>${address(view, { hasAutocomplete: false, required: ["phone"], names: { email: "billing.email", firstName: "billing.first_name", lastName: "billing.last_name", company: "billing.company_name", address1: "billing.address.[0]", address2: "billing.address.[1]", city: "billing.city", country: "billing.country", postcode: "billing.postcode", phone: "billing.phone" }, labels: { address1: "Street Address", company: "Company Name", postcode: "Zip/Postcode", phone: "Telephone" } })}
          <p><input type="checkbox" id="use_for_shipping" name="billing.use_for_shipping" value="1" checked> <label for="use_for_shipping">Use same address for shipping?</label></p>
          <p><button type="submit">Proceed</button></p></form>
        <div id="shipping" hidden><h2>Shipping Method</h2>${deliveryOptions(view).map(
          ({ code, title, price }) =>
            html`<div style="position: relative"><input type="radio" name="delivery" id="${code}" value="${code}" style="display: none"><label class="icon-radio" for="${code}"></label><label for="${code}" style="display: block"><span class="icon-flate-rate"></span><p>${price}</p><p><span>${title}</span> - Delivered to your door</p></label></div>`,
        )}</div>
        <div id="payment" hidden><h2>Payment Method</h2>${[
          ["cashondelivery", "Cash On Delivery"],
          ["card", "Credit or Debit Card"],
        ].map(
          ([value, title]) =>
            html`<div><input type="radio" name="payment[method]" id="${value ?? ""}" value="${value ?? ""}" style="display: none"><label for="${value ?? ""}" class="icon-radio"></label><label for="${value ?? ""}"><img src="/${value ?? ""}.svg" alt=""><p>${title ?? ""}</p></label></div>`,
        )}<form id="card-form" hidden>${cardFields()}</form></div>
        <div id="summary"><h2>Cart Summary</h2>${totals(view)}<p><button type="button" id="place" hidden>Place Order</button></p></div>
        ${script(`const at = (id) => document.getElementById(id);
          at("address").addEventListener("submit", async (event) => {
            event.preventDefault();
            const { ok } = await gallery.send("/checkout/onepage/addresses", gallery.fieldsOf(at("address")));
            if (ok) setTimeout(() => { at("shipping").hidden = false; }, 500);
          });
          at("shipping").addEventListener("change", async ({ target }) => {
            await gallery.send("/checkout/onepage/shipping-methods", { delivery: target.value });
            at("payment").hidden = false;
          });
          at("payment").addEventListener("change", ({ target }) => {
            if (target.name !== "payment[method]") return;
            at("card-form").hidden = target.value !== "card";
            setTimeout(() => { at("place").hidden = false; }, 300);
          });`)}
        ${onPress(
          "#place",
          `const { ok, json } = await gallery.send("/checkout/onepage/orders", { ...gallery.fieldsOf(document.getElementById("card-form")) });
           if (!ok) throw new Error(json.message);
           location.href = "/checkout/onepage/success";`,
        )}`,
    },
  ],
  confirmationPath: "/checkout/onepage/success",
  endpoints: [
    endpoint("POST", "/checkout/onepage/addresses", "address", ({ response }) => void response.json({ data: {} })),
    endpoint(
      "POST",
      "/checkout/onepage/shipping-methods",
      "delivery",
      ({ response }) => void response.json({ payment_methods: [] }),
    ),
    endpoint("POST", "/checkout/onepage/orders", "payment", ({ view, body, response, pay }) => {
      const paid = pay(typedCard(view, body));
      if ("error" in paid) response.status(400).json({ message: paid.error });
      else response.json({ redirect: true });
    }),
  ],
};
