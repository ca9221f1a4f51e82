import { html } from "../../../mail/html.ts";
import { cardFields, typedCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { button, form, section } from "../markup/layout.ts";
import { subtotals, totals } from "../markup/totals.ts";
import type { Shape } from "../shape.ts";
import { cookieConsent } from "../widgets.ts";

export const shape: Shape = {
  title: "A German consent dialog covers the cart only; its link to the checkout is behind it.",
  source: "https://cookieconsent.orestbida.com/reference/configuration-reference.html",
  isHeldBack: true,
  market: "DE",
  cart: (view) => html`<h1>Warenkorb</h1>${subtotals(view)}<p><a class="button" href="/checkout">Zur Kasse</a></p>`,
  pages: [
    {
      path: "/checkout",
      step: "payment",
      readCard: typedCard,
      content: (view) =>
        form(
          html`${section("Lieferadresse", address(view), deliveryRadios(view))} ${section("Kreditkarte", cardFields())} ${totals(view)} ${button("Kaufen")}`,
        ),
    },
  ],
  deviations: [(_view, step) => (step === "cart" ? cookieConsent("cloud", "de") : html``)],
};
