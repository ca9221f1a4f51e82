import { html } from "../../../mail/html.ts";
import { cardFields, typedCard } from "../markup/card.ts";
import { deliveryOptions } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { onPress, script } from "../markup/layout.ts";
import { STATES } from "../markup/states.ts";
import { totals } from "../markup/totals.ts";
import { endpoint, type Shape } from "../shape.ts";

const STATE_LIST = Object.values(STATES["US"] ?? {});

export const shape: Shape = {
  title:
    "OpenCart 4: a zone list that follows the country, and delivery and payment chosen in dialogs behind buttons “Choose”.",
  source: "https://github.com/opencart/opencart/tree/master/upload/catalog/view/template/checkout",
  market: "US",
  pages: [
    {
      path: "/checkout",
      step: "payment",
      content: (view) => html`<h1>Checkout</h1>
        <form id="form-register"><fieldset><legend>Your Personal Details</legend>
          <div class="col required"><input type="radio" name="account" value="1" id="input-register" checked> <label for="input-register">Register Account</label> <input type="radio" name="account" value="0" id="input-guest"> <label for="input-guest">Guest Checkout</label></div>
          ${address(view, { hasAutocomplete: false, hasCountry: false, only: ["firstName", "lastName", "email"], names: { firstName: "firstname", lastName: "lastname" }, labels: { email: "E-Mail" } })}</fieldset>
        <fieldset><legend>Shipping Address</legend>
          ${address(view, { hasAutocomplete: false, hasCountry: false, without: ["firstName", "lastName", "email", "state", "phone"], labels: { company: "Company", address1: "Address 1", address2: "Address 2", postcode: "Post Code", country: "Country" }, names: { address1: "shipping_address_1", address2: "shipping_address_2", city: "shipping_city", postcode: "shipping_postcode", country: "shipping_country_id", company: "shipping_company" } })}
          <p class="required"><label for="input-shipping-zone">Region / State</label> <select name="shipping_zone_id" id="input-shipping-zone" required></select></p></fieldset>
        <fieldset id="password"><legend>Your Password</legend><p><label for="input-password">Password</label> <input type="password" name="password" id="input-password"></p></fieldset>
        <p><button type="submit" id="button-register">Continue</button></p></form>
        <fieldset><legend>Shipping Method</legend><div class="input-group"><input type="text" name="shipping_method" placeholder="Choose shipping method..." id="input-shipping-method" readonly> <button type="button" id="button-shipping-methods">Choose</button></div></fieldset>
        <fieldset><legend>Payment Method</legend><div class="input-group"><input type="text" name="payment_method" placeholder="Choose payment method..." id="input-payment-method" readonly> <button type="button" id="button-payment-methods">Choose</button></div>
          <p><label for="input-comment">Add Comments About Your Order</label> <textarea name="comment" id="input-comment"></textarea></p>
          <p class="form-check form-switch"><label>I have read and agree to the <a href="/terms">Terms &amp; Conditions</a></label> <input type="checkbox" name="agree" value="1" id="input-checkout-agree"></p></fieldset>
        <div id="checkout-confirm">${totals(view)}<div id="confirm-body" hidden><form id="form-card"><legend>Credit Card Details</legend>${cardFields({ isSplit: true, withName: true, autocomplete: false })}</form><p><button type="button" id="button-confirm">Confirm Order</button></p></div></div>
        ${script(`
          const zones = ${JSON.stringify(STATE_LIST)};
          const id = (name) => document.getElementById(name);
          id("form-register").addEventListener("change", ({ target }) => {
            if (target.name === "account") { id("password").hidden = target.value === "0"; return; }
            if (target.name !== "shipping_country_id") return;
            const zone = id("input-shipping-zone");
            zone.replaceChildren(new Option("Loading", ""));
            setTimeout(() => zone.replaceChildren(new Option("--- Please Select ---", ""), ...(target.value === "US" ? zones : []).map((name, index) => new Option(name, String(3613 + index)))), 700);
          });
          let isRegistered = false;
          const chosen = {};
          const refresh = () => { id("confirm-body").hidden = !(isRegistered && chosen.shipping && chosen.payment && id("input-checkout-agree").checked); };
          id("form-register").addEventListener("submit", async (event) => {
            event.preventDefault();
            const { ok } = await gallery.send("/checkout/register", new URLSearchParams(gallery.fieldsOf(id("form-register"))));
            isRegistered = ok;
            if (ok) gallery.show("Success: Your account details have been saved!");
          });
          id("input-checkout-agree").addEventListener("change", refresh);
          const dialog = (kind, title, options) => {
            if (!isRegistered) return gallery.show("Warning: Address required!");
            const modal = document.createElement("div");
            modal.className = "modal";
            modal.style.cssText = "position: fixed; inset: 0; background: rgb(0 0 0 / 0.5); z-index: 10";
            modal.innerHTML = '<div style="background: white; margin: 4rem auto; width: 480px; padding: 1rem"><h5>' + title + '</h5><button type="button" class="btn-close" aria-label="Close"></button><form><p>Please select the preferred method to use on this order.</p>'
              + options.map(([value, text], index) => '<div class="form-check"><input type="radio" name="' + kind + '_code" value="' + value + '" id="m-' + value + '"' + (index === 0 ? " checked" : "") + '> <label for="m-' + value + '">' + text + '</label></div>').join("")
              + '<div class="text-end"><button type="submit">Continue</button></div></form></div>';
            modal.querySelector(".btn-close").addEventListener("click", () => modal.remove());
            modal.querySelector("form").addEventListener("submit", async (event) => {
              event.preventDefault();
              const input = modal.querySelector("input:checked");
              await gallery.send("/checkout/" + kind, new URLSearchParams({ [kind === "shipping" ? "delivery" : "payment_code"]: input.value }));
              id("input-" + kind + "-method").value = input.labels[0].textContent;
              chosen[kind] = true;
              modal.remove();
              refresh();
            });
            document.body.append(modal);
          };
          id("button-shipping-methods").addEventListener("click", () => dialog("shipping", "Shipping Method", ${JSON.stringify(deliveryOptions(view).map(({ code, title, price }) => [code, `${title} - ${price}`]))}));
          id("button-payment-methods").addEventListener("click", () => dialog("payment", "Payment Method", [["bank", "Bank Transfer"], ["card", "Credit Card / Debit Card"]]));
        `)}
        ${onPress(
          "#button-confirm",
          `const { ok, json } = await gallery.send("/checkout/confirm", new URLSearchParams(gallery.fieldsOf(document.getElementById("form-card"))));
           if (!ok) throw new Error(json.error);
           location.href = "/checkout/success";`,
        )}`,
    },
  ],
  confirmationPath: "/checkout/success",
  endpoints: [
    endpoint("POST", "/checkout/register", "address", ({ response }) => void response.json({ success: true })),
    endpoint("POST", "/checkout/shipping", "delivery", ({ response }) => void response.json({ success: true })),
    endpoint("POST", "/checkout/payment", "payment", ({ response }) => void response.json({ success: true })),
    endpoint("POST", "/checkout/confirm", "payment", ({ view, body, response, pay }) => {
      const paid = pay(typedCard(view, body));
      if ("error" in paid) response.status(400).json({ error: paid.error });
      else response.json({ redirect: "/checkout/success" });
    }),
  ],
};
