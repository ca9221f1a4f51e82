import { html } from "../../../mail/html.ts";
import { cardFields, typedCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { button, form, section } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import type { Shape } from "../shape.ts";

export const shape: Shape = {
  title: "A required salutation without a default, and an optional date of birth that may stay empty.",
  source:
    "https://github.com/shopware/shopware/blob/trunk/src/Storefront/Resources/views/storefront/component/address/address-personal.html.twig",
  market: "DE",
  pages: [
    {
      path: "/checkout",
      step: "payment",
      readCard: typedCard,
      content: (view) =>
        form(html`${section("Rechnungsadresse", html`<fieldset><legend>Anrede *</legend>${["Frau", "Herr", "Divers / keine Angabe"].map((text) => html`<label><input type="radio" name="anrede" value="${text}" required> ${text}</label> `)}</fieldset>`, address(view), html`<p><label>Geburtsdatum (optional) <input name="geburtsdatum" placeholder="TT.MM.JJJJ" autocomplete="bday"></label></p>`, deliveryRadios(view))}
        ${section("Kreditkarte", cardFields())} ${totals(view)} ${button("Zahlungspflichtig bestellen")}`),
    },
  ],
};
