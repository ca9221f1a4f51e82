import { html } from "../../../mail/html.ts";
import { cardFields, typedCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { button, form, section } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import type { Shape } from "../shape.ts";
import { cookieConsent } from "../widgets.ts";

export const shape: Shape = {
  title: "A consent dialog (vanilla-cookieconsent) covers every page until a choice is made.",
  source: "https://cookieconsent.orestbida.com/essential/getting-started.html",
  pages: [
    {
      path: "/checkout",
      step: "payment",
      readCard: typedCard,
      content: (view) =>
        form(
          html`${section("Delivery address", address(view), deliveryRadios(view))} ${section("Payment", cardFields())} ${totals(view)} ${button("Pay now")}`,
        ),
    },
  ],
  deviations: [() => cookieConsent("box")],
};
