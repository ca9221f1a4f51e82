import { html } from "../../../mail/html.ts";
import { cardFields, typedCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address, control } from "../markup/fields.ts";
import { button, form, section } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import type { Shape } from "../shape.ts";

export const shape: Shape = {
  title: "Canadian provinces by name, postal code with a pattern that requires the space, amounts also in US dollars.",
  source: "https://www.canadapost-postescanada.ca/cpc/en/support/articles/addressing-guidelines/postal-codes.page",
  market: "CA",
  pages: [
    {
      path: "/checkout",
      step: "payment",
      readCard: typedCard,
      content: (view) =>
        form(html`${section("Shipping", address(view, { states: "names", labels: { state: "Province", postcode: "Postal code" }, controls: { postcode: (field) => control(field, "above", 'pattern="[A-Za-z]\\d[A-Za-z] \\d[A-Za-z]\\d"') } }), deliveryRadios(view))}
        ${section("Payment", cardFields())} ${totals(view)} <p>Approximately US$${((view.totalMinor * 0.72) / 100).toFixed(2)}. You will be charged in CAD.</p> ${button("Pay now")}`),
    },
  ],
};
