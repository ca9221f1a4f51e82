import { html } from "../../../mail/html.ts";
import { cardFields, typedCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { button, form, section } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import type { Shape } from "../shape.ts";
import { intlTelInput } from "../widgets.ts";

export const shape: Shape = {
  title: "Required telephone with a country list (intl-tel-input), which rejects characters that it does not expect.",
  source: "https://github.com/jackocnr/intl-tel-input",
  market: "DE",
  pages: [
    {
      path: "/checkout",
      step: "payment",
      readCard: typedCard,
      content: (view) =>
        html`${form(html`${section("Lieferadresse", address(view, { required: ["phone"] }))} ${section("Versand", deliveryRadios(view))} ${section("Kreditkarte", cardFields())} ${totals(view)} ${button("Jetzt kaufen")}`)}${intlTelInput("input[type=tel]", view.market)}`,
    },
  ],
};
