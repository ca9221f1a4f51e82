import { html } from "../../../mail/html.ts";
import { cardFields, typedCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { button, form, section } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import type { Shape } from "../shape.ts";

export const shape: Shape = {
  title:
    "Street and house number are separate required inputs without autocomplete; the number must begin with a digit.",
  source: "https://web.dev/learn/forms/address",
  market: "DE",
  pages: [
    {
      path: "/checkout",
      step: "payment",
      readCard: typedCard,
      content: (view) =>
        form(html`${section("Lieferadresse", address(view, { only: ["email", "country", "firstName", "lastName"] }), html`<p><label>Straße <input name="strasse" required></label> <label>Hausnummer <input name="hausnummer" pattern="[0-9]+.*" required size="5"></label></p>`, address(view, { only: ["postcode", "city", "phone"] }), deliveryRadios(view))}
        ${section("Kreditkarte", cardFields())} ${totals(view)} ${button("Jetzt kostenpflichtig bestellen")}`),
    },
  ],
};
