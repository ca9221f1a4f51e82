import { html } from "../../../mail/html.ts";
import { separateFrames, tokenCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { button, form, script, section } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import type { Shape } from "../shape.ts";

export const shape: Shape = {
  title: "Braintree Drop-in: choose “Card” first, then the frames appear; the merchant's own button stands below.",
  source: "https://developer.paypal.com/braintree/docs/guides/drop-in/overview/javascript/v3/",
  isHeldBack: true,
  pages: [
    {
      path: "/checkout",
      step: "payment",
      readCard: tokenCard,
      content: (view) =>
        form(html`${section("Delivery address", address(view), deliveryRadios(view))}
        <section class="braintree-dropin"><h2>Choose a way to pay</h2><div class="card" role="button" tabindex="0" id="option-card">Card</div><div class="card" role="button" tabindex="0">PayPal</div>
        <div id="sheet" hidden>${separateFrames(view)}</div></section> ${totals(view)} ${button("Pay")}
        ${script(`document.getElementById("option-card").addEventListener("click", () => { document.getElementById("sheet").hidden = false; });`)}`),
    },
  ],
};
