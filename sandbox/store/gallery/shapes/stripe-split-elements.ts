import { html } from "../../../mail/html.ts";
import { separateFrames, tokenCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { button, form, section } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import type { Shape } from "../shape.ts";

export const shape: Shape = {
  title: "Stripe's split elements: number, expiry and code in three frames; the cardholder's name in the page.",
  source: "https://docs.stripe.com/js/element/other_element?type=cardNumber",
  pages: [
    {
      path: "/checkout",
      step: "payment",
      readCard: tokenCard,
      content: (view) =>
        form(html`${section("Your details", address(view))} ${section("Delivery", deliveryRadios(view))}
        ${section("Card details", html`<p><label>Name on card <input name="card_name" autocomplete="cc-name" required></label></p>`, separateFrames(view))} ${totals(view)} ${button(`Pay ${view.money(view.totalMinor)}`)}`),
    },
  ],
};
