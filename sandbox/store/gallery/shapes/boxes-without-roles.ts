import { html } from "../../../mail/html.ts";
import { cardFields, typedCard } from "../markup/card.ts";
import { deliveryOptions } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { onPress, script } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import { endpoint, type Shape } from "../shape.ts";

const BOX = "cursor: pointer";

export const shape: Shape = {
  title:
    "Deliveries and payment methods are boxes that scripts made clickable, without a role; the postcode comes first.",
  source: "https://www.w3.org/WAI/WCAG22/Techniques/failures/F59",
  pages: [
    {
      path: "/checkout",
      step: "payment",
      content: (view) => html`<h1>Checkout</h1>
        <div id="where"><h2>Where should we deliver to?</h2>${address(view, { only: ["country", "postcode"] })}<p><button type="button" id="rates">Show delivery options</button></p></div>
        <div id="how" hidden><h2>Delivery options</h2>${deliveryOptions(view).map(
          ({ code, title, price }) =>
            html`<div class="option" style="${BOX}" data-code="${code}"><p><b>${title}</b></p><p>${price}</p></div>`,
        )}<input type="hidden" name="delivery" value=""></div>
        <div id="who" hidden><h2>Your details</h2>${address(view, { without: ["country", "postcode"] })}
          <h2>Payment</h2><div class="method" style="${BOX}" data-method="paypal">PayPal</div><div class="method" style="${BOX}" data-method="card">Debit or credit card</div>
          <div id="card" hidden>${cardFields()}</div></div>
        ${totals(view)}<p><button type="button" id="buy">Buy for ${view.money(view.totalMinor)}</button></p>
        ${script(`const at = (id) => document.getElementById(id);
          at("rates").addEventListener("click", () => { setTimeout(() => { at("how").hidden = false; }, 400); });
          document.querySelectorAll(".option").forEach((option) => option.addEventListener("click", () => {
            document.querySelector("[name=delivery]").value = option.dataset.code;
            document.querySelectorAll(".option").forEach((one) => one.classList.toggle("selected", one === option));
            at("who").hidden = false;
          }));
          document.querySelectorAll(".method").forEach((method) => method.addEventListener("click", () => { at("card").hidden = method.dataset.method !== "card"; }));`)}
        ${onPress(
          "#buy",
          `const values = gallery.fieldsOf();
           if (!values.card_number) throw new Error("Enter your card details.");
           const { ok, json } = await gallery.send("/api/checkout", values);
           if (!ok) throw new Error(json.message);
           location.href = "/thanks";`,
        )}`,
    },
  ],
  endpoints: [
    endpoint("POST", "/api/checkout", "payment", ({ view, body, response, pay }) => {
      const paid = pay(typedCard(view, body));
      if ("error" in paid) response.status(400).json({ message: paid.error });
      else response.json({ order: paid.orderNumber });
    }),
  ],
};
