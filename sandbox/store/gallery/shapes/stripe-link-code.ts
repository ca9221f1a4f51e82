import { html } from "../../../mail/html.ts";
import { oneFrame, tokenCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { button, form, script, section } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import type { Shape } from "../shape.ts";

export const shape: Shape = {
  title: "Stripe Link: after the email address a frame requests a code; “Pay without Link” closes it.",
  source: "https://docs.stripe.com/payments/link/payment-element-link",
  isHeldBack: true,
  market: "US",
  pages: [
    {
      path: "/checkout",
      step: "payment",
      readCard: tokenCard,
      content: (view) =>
        form(html`${section(
          "Contact",
          address(view, { only: ["email"] }),
          html`<div id="link" class="panel" hidden><p>Use your saved information with Link. Enter the code sent to (•••) •••-••32.</p>
          <iframe title="Link authentication" height="70" srcdoc="<input autocomplete='one-time-code' aria-label='One-time code' inputmode='numeric'>"></iframe>
          <button type="button" id="without">Pay without Link</button></div>`,
        )}
        ${section("Delivery", address(view, { without: ["email"] }), deliveryRadios(view))}
        <div id="card">${section("Payment", oneFrame(view, ["number", "expiry", "code"]))}</div> ${totals(view)} ${button("Pay")}
        ${script(`const link = document.getElementById("link");
          document.querySelector("[type=email]").addEventListener("change", () => { link.hidden = false; document.getElementById("card").hidden = true; });
          document.getElementById("without").addEventListener("click", () => { link.hidden = true; document.getElementById("card").hidden = false; });`)}`),
    },
  ],
};
