import { html } from "../../../mail/html.ts";
import { cardFields, typedCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { button, form, section } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import type { Shape } from "../shape.ts";
import { imask } from "../widgets.ts";

export const shape: Shape = {
  title: "Masks (IMask) for telephone, card number, expiry and code that reformat what is typed.",
  source: "https://imask.js.org/guide.html",
  market: "US",
  pages: [
    {
      path: "/checkout",
      step: "payment",
      readCard: typedCard,
      content: (view) =>
        html`${form(html`${section("Shipping", address(view, { required: ["phone"] }), deliveryRadios(view))} ${section("Payment", cardFields())} ${totals(view)} ${button("Pay now")}`)}${imask({ "input[type=tel]": "(000) 000-0000", "[name=card_number]": "0000 0000 0000 0000", "[name=card_expiry]": "00/00", "[name=card_code]": "0000" })}`,
    },
  ],
};
