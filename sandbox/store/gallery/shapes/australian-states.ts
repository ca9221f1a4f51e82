import { html } from "../../../mail/html.ts";
import { cardFields, typedCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { button, form, section } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import type { Shape } from "../shape.ts";

export const shape: Shape = {
  title:
    "Australian address with suburb, required state by name and a four-digit postcode; Afterpay instalments in the total.",
  source: "https://developers.afterpay.com",
  market: "AU",
  pages: [
    {
      path: "/checkout",
      step: "payment",
      readCard: typedCard,
      content: (view) =>
        form(html`${section("Delivery address", address(view, { states: "names", labels: { city: "Suburb" } }), deliveryRadios(view))} ${section("Payment", cardFields())} ${totals(view)}
        <p>or 4 interest-free payments of ${view.money(Math.round(view.totalMinor / 4))} with Afterpay</p> ${button("Pay now")}`),
    },
  ],
};
