import { html } from "../../../mail/html.ts";
import { cardFields, typedCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address, checkbox } from "../markup/fields.ts";
import { button, form, section } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import type { Shape } from "../shape.ts";

export const shape: Shape = {
  title: "Shopware: registration as a guest with salutation, then one confirm page with terms, payment and card.",
  source: "https://github.com/shopware/shopware/tree/trunk/src/Storefront/Resources/views/storefront/page/checkout",
  market: "DE",
  pages: [
    {
      path: "/checkout",
      step: "address",
      content: (view) =>
        form(html`<h1>Ich bin Neukunde</h1><p><label>Anrede* <select name="salutationId" required><option value="">Anrede wählen …</option><option value="mrs">Frau</option><option value="mr">Herr</option><option value="undefined">Keine Angabe</option></select></label></p>
        ${address(view, { without: ["address2", "company"] })} ${checkbox("createCustomerAccount", "Kein Kundenkonto anlegen", "checked")} ${checkbox("acceptedDataProtection", "Ich habe die Datenschutzbestimmungen zur Kenntnis genommen.", "required")} ${button("Weiter")}`),
    },
    {
      path: "/checkout/confirm",
      step: "payment",
      readCard: typedCard,
      content: (view) =>
        form(html`<h1>Bestellung abschließen</h1>${checkbox("tos", "Ich habe die AGB gelesen und bin mit ihnen einverstanden.", "required")}
        ${section("Versandart", deliveryRadios(view))} ${section("Zahlungsart", html`<p><label><input type="radio" name="paymentMethodId" value="invoice"> Rechnung</label> <label><input type="radio" name="paymentMethodId" value="card" checked> Kreditkarte</label></p>`, cardFields())} ${totals(view)} ${button("Zahlungspflichtig bestellen")}`),
    },
  ],
};
