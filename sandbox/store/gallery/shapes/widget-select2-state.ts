import { html } from "../../../mail/html.ts";
import { cardFields, typedCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { button, form, section } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import type { Shape } from "../shape.ts";
import { select2 } from "../widgets.ts";

export const shape: Shape = {
  title: "Required state in a select2 whose options have full names as values.",
  source: "https://select2.org/getting-started/basic-usage",
  market: "US",
  pages: [
    {
      path: "/checkout",
      step: "payment",
      readCard: typedCard,
      content: (view) =>
        html`${form(html`${section("Shipping", address(view, { states: "names", hasAutocomplete: false }), deliveryRadios(view))} ${section("Payment", cardFields())} ${totals(view)} ${button("Pay now")}`)}${select2("select[name=state]")}`,
    },
  ],
};
