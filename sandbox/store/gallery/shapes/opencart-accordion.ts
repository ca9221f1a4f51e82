import { html } from "../../../mail/html.ts";
import { cardFields, typedCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address, checkbox } from "../markup/fields.ts";
import { onPress, payButton } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import { endpoint, type Shape } from "../shape.ts";

const PANEL = (from: string, to: string) => `
  const panel = document.getElementById("${from}");

  if (![...panel.querySelectorAll("input, select")].every((control) => control.reportValidity())) return;

  await gallery.send("/index.php?route=checkout/${from}.save", gallery.fieldsOf(panel));

  panel.hidden = true;

  document.getElementById("${to}").hidden = false;`;

export const shape: Shape = {
  title: "OpenCart: guest or account first, panels that open after a request, and an agreement before the payment.",
  source: "https://github.com/opencart/opencart/tree/master/upload/catalog/view/template/checkout",
  isHeldBack: true,
  pages: [
    {
      path: "/checkout",
      step: "payment",
      content: (
        view,
      ) => html`<h2>Step 1: Checkout Options</h2><div id="options"><p><label><input type="radio" name="account" value="register" checked> Register Account</label></p><p><label><input type="radio" name="account" value="guest"> Guest Checkout</label></p><button type="button" id="b1">Continue</button></div>
        <h2>Step 2: Delivery Details</h2><div id="address" hidden>${address(view, { names: { address1: "address_1", postcode: "postcode" } })}<p id="password" hidden><label>Password <input type="password" name="password"></label></p><button type="button" id="b2">Continue</button></div>
        <h2>Step 3: Delivery Method</h2><div id="method" hidden>${deliveryRadios(view, false)}<p><label>Add comments about your order <textarea name="comment"></textarea></label></p><button type="button" id="b3">Continue</button></div>
        <h2>Step 4: Confirm Order</h2><div id="confirm" hidden>${totals(view)}${cardFields()}${checkbox("agree", "I have read and agree to the Terms & Conditions")}
        ${payButton(
          "Confirm Order",
          `if (!document.querySelector("[name=agree]").checked) throw new Error("Warning: You must agree to the Terms & Conditions!");
           const { json } = await gallery.send("/index.php?route=extension/payment/card.confirm", gallery.fieldsOf(document.getElementById("confirm")));
           if (json.error) throw new Error(json.error);
           location.href = json.redirect;`,
        )}</div>
        ${onPress("#b1", PANEL("options", "address"))}${onPress("#b2", PANEL("address", "method"))}${onPress("#b3", PANEL("method", "confirm"))}`,
    },
  ],
  endpoints: [
    endpoint("POST", "/index.php", "payment", ({ view, body, request, response, pay }) => {
      if (!String(request.query["route"]).endsWith(".confirm")) return void response.json({ success: true });
      const paid = pay(typedCard(view, body));
      response.json("error" in paid ? paid : { redirect: "/thanks" });
    }),
  ],
};
