import { html } from "../../../mail/html.ts";
import { oneFrame, tokenCard } from "../markup/card.ts";
import { deliveryOptions } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { payButton, script } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import { endpoint, type Shape } from "../shape.ts";

const PRIMITIVES_SCRIPT = `
  const set = (control, isOn) => {
    control.setAttribute("aria-checked", String(isOn));
    control.dataset.state = isOn ? "checked" : "unchecked";
  };
  document.querySelectorAll("button[role=radio]").forEach((radio, _, radios) => radio.addEventListener("click", () => {
    radios.forEach((one) => set(one, one === radio));
    document.querySelector("input[name=delivery]").value = radio.value;
    document.getElementById("pay").disabled = false;
  }));
  document.querySelectorAll("button[role=checkbox]").forEach((box) => box.addEventListener("click", () => {
    set(box, box.getAttribute("aria-checked") !== "true");
  }));`;

export const shape: Shape = {
  title: "Radix primitives: buttons as radio buttons and checkboxes, and an order that a dialog confirms again.",
  source: "https://www.radix-ui.com/primitives/docs/components/alert-dialog",
  pages: [
    {
      path: "/checkout",
      step: "payment",
      content: (view) => html`<h1>Checkout</h1><div><h2>Contact and delivery</h2>${address(view)}</div>
        <h2>Delivery</h2><div role="radiogroup" aria-label="Delivery method">${deliveryOptions(view).map(
          ({ code, title, price }) =>
            html`<div><button type="button" role="radio" aria-checked="false" data-state="unchecked" value="${code}" id="d-${code}"></button><label for="d-${code}">${title} ${price}</label></div>`,
        )}</div><input type="hidden" name="delivery" value="">
        <h2>Payment</h2>${oneFrame(view)} ${totals(view)}
        <div><button type="button" role="checkbox" aria-checked="false" data-state="unchecked" id="terms"></button><label for="terms">I accept the terms and conditions</label></div>
        <p><button type="button" id="open" disabled>Place order</button></p>
        <div role="alertdialog" id="dialog" class="overlay" aria-labelledby="question" hidden><div><h2 id="question">Place this order?</h2><p>Your card will be charged.</p><button type="button" id="cancel">Cancel</button>${payButton(
          "Confirm",
          `const payment_token = await gallery.askFrame("tokenise");
           const { ok, json } = await gallery.send("/api/checkout", { ...gallery.fieldsOf(), payment_token });
           if (!ok) throw new Error(json.message);
           location.href = "/thanks";`,
        )}</div></div>
        ${script(PRIMITIVES_SCRIPT.replace('getElementById("pay")', 'getElementById("open")'))}
        ${script(`const dialog = document.getElementById("dialog");
          document.getElementById("open").addEventListener("click", () => {
            if (document.getElementById("terms").getAttribute("aria-checked") !== "true") return gallery.show("Accept the terms.");
            if ([...document.querySelectorAll("input")].some((input) => !input.reportValidity())) return;
            dialog.hidden = false;
          });
          document.getElementById("cancel").addEventListener("click", () => { dialog.hidden = true; });`)}`,
    },
  ],
  endpoints: [
    endpoint("POST", "/api/checkout", "payment", ({ view, body, response, pay }) => {
      const paid = pay(tokenCard(view, body));
      if ("error" in paid) response.status(400).json({ message: paid.error });
      else response.json({ id: paid.orderNumber });
    }),
  ],
};
