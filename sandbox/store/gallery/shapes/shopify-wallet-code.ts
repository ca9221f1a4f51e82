import { html } from "../../../mail/html.ts";
import { separateFrames, tokenCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { expressButtons } from "../markup/deviations.ts";
import { address } from "../markup/fields.ts";
import { button, form, script, section } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import type { Shape } from "../shape.ts";

export const shape: Shape = {
  title:
    "Shopify: a frame offers to sign in to a wallet with a code once the email address is known; it can be closed.",
  source: "https://help.shopify.com/en/manual/payments/shop-pay/set-up-shop-pay",
  isHeldBack: true,
  market: "US",
  pages: [
    {
      path: "/checkout",
      step: "payment",
      readCard: tokenCard,
      content: (view) => html`${expressButtons("Shop Pay")}
        ${form(html`${section("Contact and delivery", address(view))} ${section("Shipping method", deliveryRadios(view))}
        ${section("Payment", separateFrames(view, ["number", "expiry", "code", "name"]))} ${totals(view)} ${button("Pay now")}`)}
        <div class="overlay" id="shop-pay" role="dialog" aria-label="Confirm it's you" hidden><div><button type="button" aria-label="Close" id="close-shop">×</button>
          <p>Enter the code sent to your phone to use your saved information.</p>
          <iframe title="Shop Pay" height="80" srcdoc="<input aria-label='6-digit code' autocomplete='one-time-code' inputmode='numeric' maxlength='6'>"></iframe>
          <button type="button" id="guest">Check out as guest</button></div></div>
        ${script(`const dialog = document.getElementById("shop-pay");
          document.querySelector("input[type=email]").addEventListener("change", () => setTimeout(() => { if (!dialog.dataset.seen) { dialog.hidden = false; dialog.dataset.seen = "1"; } }, 400));
          for (const id of ["close-shop", "guest"]) document.getElementById(id).addEventListener("click", () => { dialog.hidden = true; });`)}`,
    },
  ],
};
