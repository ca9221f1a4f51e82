import { html } from "../../../mail/html.ts";
import { cardFields, typedCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { script } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import { endpoint, type Shape } from "../shape.ts";
import { imask } from "../widgets.ts";

const SECTIONS_SCRIPT = `
  const sections = ["billing", "shipping-method", "payment-info", "confirm-order"];
  document.querySelectorAll("[data-save]").forEach((next) => next.addEventListener("click", async () => {
    const section = next.closest("li");
    if (![...section.querySelectorAll("input, select")].every((control) => control.reportValidity())) return;
    const { json } = await gallery.send("/checkout/" + next.dataset.save, new URLSearchParams(gallery.fieldsOf(section)));
    section.querySelector(".step").hidden = true;
    const following = document.getElementById("opc-" + json.goto_section).querySelector(".step");
    if (json.update_section) following.innerHTML = json.update_section.html;
    following.hidden = false;
  }));
  document.getElementById("opc-confirm-order").addEventListener("click", async ({ target }) => {
    if (!target.matches(".confirm-order-next-step-button")) return;
    const { json } = await gallery.send("/checkout/OpcConfirmOrder/", new URLSearchParams());
    if (json.success) location.href = "/checkout/completed/";
    else gallery.show(json.message);
  });`;

export const shape: Shape = {
  title: "nopCommerce's one-page checkout: each part is saved by a script, and the response contains the last part.",
  source:
    "https://github.com/nopSolutions/nopCommerce/blob/develop/src/Presentation/Nop.Web/wwwroot/js/public.onepagecheckout.js",
  market: "US",
  confirmationPath: "/checkout/completed/",
  pages: [
    {
      path: "/onepagecheckout",
      step: "payment",
      content: (view) => html`<h1>Checkout</h1><ol class="opc">
        <li id="opc-billing"><h2>Billing address</h2><div class="step">${address(view, { hasAutocomplete: false, required: ["phone"], names: { email: "BillingNewAddress.Email", firstName: "BillingNewAddress.FirstName", lastName: "BillingNewAddress.LastName", state: "BillingNewAddress.StateProvinceId", postcode: "BillingNewAddress.ZipPostalCode" }, labels: { address1: "Address 1:", address2: "Address 2:", postcode: "Zip / postal code:", phone: "Phone number:" }, states: "numbers" })}<button type="button" data-save="OpcSaveBilling/">Continue</button></div></li>
        <li id="opc-shipping-method"><h2>Shipping method</h2><div class="step" hidden>${deliveryRadios(view)}<button type="button" data-save="OpcSaveShippingMethod/">Continue</button></div></li>
        <li id="opc-payment-info"><h2>Payment information</h2><div class="step" hidden>${cardFields({ isSplit: true, autocomplete: false })}<button type="button" data-save="OpcSavePaymentInfo/">Continue</button></div></li>
        <li id="opc-confirm-order"><h2>Confirm order</h2><div class="step" hidden></div></li></ol>
        ${totals(view)} ${imask({ "[name=card_number]": "0000 0000 0000 0000" })} ${script(SECTIONS_SCRIPT)}`,
    },
  ],
  endpoints: [
    endpoint("POST", "/checkout/OpcSaveBilling/", "address", ({ response }) => {
      response.json({ goto_section: "shipping-method" });
    }),
    endpoint("POST", "/checkout/OpcSaveShippingMethod/", "delivery", ({ response }) => {
      response.json({ goto_section: "payment-info" });
    }),
    endpoint("POST", "/checkout/OpcSavePaymentInfo/", "payment", ({ view, body, response }) => {
      view.order.card = typedCard(view, body);
      const { safeHtml } =
        html`<p>Please verify all information before you confirm.</p><button type="button" class="confirm-order-next-step-button">Confirm</button>`;
      response.json({ goto_section: "confirm-order", update_section: { name: "confirm-order", html: safeHtml } });
    }),
    endpoint("POST", "/checkout/OpcConfirmOrder/", "payment", ({ view, response, pay }) => {
      const paid = pay(view.order.card);
      response.json("error" in paid ? { success: 0, message: paid.error } : { success: 1 });
    }),
  ],
};
