import { html } from "../../../mail/html.ts";
import { cardFields, typedCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { onPress, script } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import { endpoint, type Shape } from "../shape.ts";

export const shape: Shape = {
  title:
    "Salesforce reference storefront: stages on one page. “Next: Place Order” only stores the card; “Place Order” follows.",
  source: "https://github.com/SalesforceCommerceCloud/storefront-reference-architecture",
  market: "US",
  pages: [
    {
      path: "/s/RefArch/checkout",
      step: "payment",
      content: (view) => html`<h1 class="page-title">Checkout</h1>
        <div class="alert alert-danger error-message" role="alert" hidden><p class="error-message-text"></p></div>
        <div id="shipping" class="card"><h2>Shipping</h2><form id="dwfrm_shipping" novalidate>${address(view, { names: { firstName: "dwfrm_shipping_firstName", lastName: "dwfrm_shipping_lastName", address1: "dwfrm_shipping_address1", city: "dwfrm_shipping_city", state: "dwfrm_shipping_stateCode", postcode: "dwfrm_shipping_postalCode", phone: "dwfrm_shipping_phone" }, labels: { address1: "Address 1", address2: "Address 2", postcode: "ZIP Code", phone: "Phone Number" }, required: ["phone"], without: ["company"] })} ${deliveryRadios(view)}</form></div>
        <div id="payment" class="card" hidden><h2>Payment</h2><form id="dwfrm_billing" novalidate>${cardFields({ isSplit: true, withName: false })}</form></div>
        <div id="summary" class="card" hidden><h2>Payment Summary</h2><p>Credit Visa ************4242 <span class="edit-button">Edit</span></p></div>
        ${totals(view)}
        <div class="next-step-button"><button class="btn" id="submit-shipping" type="submit" name="submit" value="submit-shipping">Next: Payment</button> <button class="btn" id="submit-payment" type="submit" name="submit" value="submit-payment" hidden>Next: Place Order</button> <button class="btn" id="place-order" type="submit" name="submit" value="place-order" hidden>Place Order</button></div>
        ${script(`window.stage = (from, to) => {
          for (const name of from) document.getElementById(name).hidden = true;
          for (const name of to) document.getElementById(name).hidden = false;
          history.pushState(null, "", "?stage=" + to[0]);
        };`)}
        ${onPress(
          "#submit-shipping",
          `const { ok } = await gallery.send("/CheckoutShippingServices-SubmitShipping", new URLSearchParams(gallery.fieldsOf(document.getElementById("dwfrm_shipping"))));
           if (!ok) throw new Error("Check the address.");
           stage(["shipping", "submit-shipping"], ["payment", "submit-payment"]);`,
        )}
        ${onPress(
          "#submit-payment",
          `const { ok } = await gallery.send("/CheckoutServices-SubmitPayment", new URLSearchParams(gallery.fieldsOf(document.getElementById("dwfrm_billing"))));
           if (!ok) throw new Error("Check your card details.");
           stage(["payment", "submit-payment"], ["summary", "place-order"]);`,
        )}
        ${onPress(
          "#place-order",
          `const { ok, json } = await gallery.send("/CheckoutServices-PlaceOrder", new URLSearchParams());
           if (!ok) throw new Error(json.errorMessage);
           location.href = "/s/RefArch/orderconfirmation?ID=" + json.orderID;`,
        )}`,
    },
  ],
  confirmationPath: "/s/RefArch/orderconfirmation",
  endpoints: [
    endpoint("POST", "/CheckoutShippingServices-SubmitShipping", "delivery", ({ response }) => {
      response.json({ action: "SubmitShipping" });
    }),
    endpoint("POST", "/CheckoutServices-SubmitPayment", "payment", ({ view, body, response }) => {
      view.order.card = typedCard(view, body);
      if (view.order.card) response.json({ renderedPaymentInstruments: "" });
      else response.status(400).json({ error: true });
    }),
    endpoint("POST", "/CheckoutServices-PlaceOrder", "payment", ({ view, response, pay }) => {
      const paid = pay(view.order.card);
      if ("error" in paid) response.status(400).json({ errorMessage: paid.error });
      else response.json({ orderID: paid.orderNumber });
    }),
  ],
};
