import { html } from "../../../mail/html.ts";
import { oneFrame, tokenCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { button, form, script } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import type { Shape } from "../shape.ts";

export const shape: Shape = {
  title: "PayPal's buttons with “Debit or Credit Card”, which opens the card form in one frame below.",
  source: "https://developer.paypal.com/platforms/checkout/standard/customize/card-form-submit-button",
  isHeldBack: true,
  market: "US",
  pages: [
    {
      path: "/checkout",
      step: "address",
      content: (view) => form(html`<h1>Shipping</h1>${address(view)} ${deliveryRadios(view)} ${button("Continue")}`),
    },
    {
      path: "/checkout/payment",
      step: "payment",
      readCard: tokenCard,
      content: (
        view,
      ) => html`<h1>Pay</h1>${totals(view)}<p><button type="button" aria-label="PayPal">PayPal</button> <button type="button" id="debit">Debit or Credit Card</button></p>
        <div id="expanded" hidden>${form(html`${oneFrame(view, ["number", "expiry", "code"])} ${button("Pay Now")}`)}</div>
        ${script(`document.getElementById("debit").addEventListener("click", () => { document.getElementById("expanded").hidden = false; });`)}`,
    },
  ],
};
