import { html } from "../../../mail/html.ts";
import { cardFields, typedCard } from "../markup/card.ts";
import { deliverySelect } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { button, form, section } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import type { Shape } from "../shape.ts";
import { choices } from "../widgets.ts";

export const shape: Shape = {
  title: "Country and delivery in choices.js, which hides the selects; no country is chosen at first.",
  source: "https://github.com/Choices-js/Choices",
  pages: [
    {
      path: "/checkout",
      step: "payment",
      readCard: typedCard,
      content: (view) =>
        html`${form(html`${section("Delivery address", address(view, { hasCountry: false }), deliverySelect(view))} ${section("Payment", cardFields())} ${totals(view)} ${button("Pay now")}`)}${choices("select[name=country], select[name=delivery]")}`,
    },
  ],
};
