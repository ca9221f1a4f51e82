import { html } from "../../../mail/html.ts";
import { separateFrames, tokenCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { button, form, section } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import type { Shape } from "../shape.ts";

export const shape: Shape = {
  title:
    "Mollie Components: holder, number, expiry and code in four frames, the token in the posted form, on a German page.",
  source: "https://docs.mollie.com/docs/mollie-components",
  market: "DE",
  pages: [
    {
      path: "/checkout",
      step: "payment",
      readCard: tokenCard,
      content: (view) =>
        form(html`${section("Rechnungs- und Lieferadresse", address(view))} ${section("Versandart", deliveryRadios(view))}
        ${section("Kreditkarte", separateFrames(view, ["name", "number", "expiry", "code"]))} ${totals(view)} ${button("Zahlungspflichtig bestellen")}`),
    },
  ],
};
