import { html } from "../../../mail/html.ts";
import { cardFields, typedCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { button, form, script, section } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import type { Shape } from "../shape.ts";

export const shape: Shape = {
  title: "French page with placeholders instead of labels, and a required repetition of the email address.",
  source: "https://www.w3.org/WAI/tutorials/forms/instructions/#placeholder-text",
  market: "FR",
  pages: [
    {
      path: "/checkout",
      step: "payment",
      readCard: typedCard,
      content: (view) =>
        form(html`${section("Adresse de livraison", address(view, { only: ["email"], labelled: "placeholder" }), html`<p><input type="email" name="email_confirmation" placeholder="Confirmez votre adresse e-mail" required></p>`, address(view, { without: ["email"], labelled: "placeholder" }), deliveryRadios(view))}
        ${section("Carte bancaire", cardFields())} ${totals(view)} ${button("Payer")}
        ${script(`document.querySelector("form").addEventListener("submit", (event) => { const form = event.target; if (form.email.value !== form.email_confirmation.value) { event.preventDefault(); gallery.show("Les adresses e-mail ne correspondent pas."); } });`)}`),
    },
  ],
};
