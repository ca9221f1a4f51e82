import { html } from "../../../mail/html.ts";
import { cardFields, typedCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { button, form, section } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import type { Shape } from "../shape.ts";
import { awesomplete } from "../widgets.ts";

export const shape: Shape = {
  title: "Typing in the address field opens suggestions (Awesomplete); choosing one would change street and city.",
  source: "https://projects.verou.me/awesomplete/",
  pages: [
    {
      path: "/checkout",
      step: "payment",
      readCard: typedCard,
      content: (view) =>
        html`${form(html`${section("Delivery address", address(view, { labels: { address1: "Start typing your address" } }), deliveryRadios(view))} ${section("Payment", cardFields())} ${totals(view)} ${button("Pay now")}`)}${awesomplete("[name=address1]", ["12 St James's Street, Edinburgh", "12 St James Square, Bath", "112 St James's Square, Cardiff"])}`,
    },
  ],
};
