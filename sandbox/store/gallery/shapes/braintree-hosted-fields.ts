import { html } from "../../../mail/html.ts";
import { separateFrames, tokenCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { button, form, script, section } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import type { Shape } from "../shape.ts";

export const shape: Shape = {
  title:
    "Braintree's hosted fields: three frames, and a button that is off until they have loaded; the nonce in the form.",
  source: "https://developer.paypal.com/braintree/docs/start/hello-client/javascript/v4/",
  market: "US",
  pages: [
    {
      path: "/checkout",
      step: "payment",
      readCard: tokenCard,
      content: (view) =>
        form(html`${section("Shipping", address(view), deliveryRadios(view))}
        ${section("Payment", separateFrames(view, ["number", "expiry", "code"]))} ${totals(view)} ${button("Purchase", "disabled id=purchase")}
        ${script(`addEventListener("load", () => { document.getElementById("purchase").disabled = false; });`)}`),
    },
  ],
};
