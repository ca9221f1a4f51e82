import { html } from "../../../mail/html.ts";
import { cardFields, typedCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address, checkbox } from "../markup/fields.ts";
import { button, form } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import type { Shape } from "../shape.ts";

export const shape: Shape = {
  title: "PrestaShop: personal information, addresses, shipping method and payment as accordion steps with page loads.",
  source: "https://github.com/PrestaShop/classic-theme/blob/develop/templates/checkout/checkout.tpl",
  market: "FR",
  pages: [
    {
      path: "/checkout",
      step: "address",
      content: (view) =>
        form(html`<h1>1 Informations personnelles</h1><p>Titre <label><input type="radio" name="id_gender" value="1"> M.</label> <label><input type="radio" name="id_gender" value="2"> Mme</label></p>
        ${address(view, { only: ["firstName", "lastName", "email"] })}
        <p><label>Mot de passe (facultatif) <input type="password" name="password" autocomplete="new-password"></label></p>
        ${checkbox("psgdpr", "J'accepte les conditions générales et la politique de confidentialité", "required")} ${checkbox("optin", "Recevoir les offres de nos partenaires")} ${button("Continuer")}`),
    },
    {
      path: "/checkout/addresses",
      step: "address",
      content: (view) =>
        form(
          html`<h1>2 Adresses</h1>${address(view, { without: ["email"] })} ${checkbox("use_same_address", "Utiliser aussi cette adresse pour la facturation", "checked")} ${button("Continuer")}`,
        ),
    },
    {
      path: "/checkout/shipping",
      step: "delivery",
      content: (view) =>
        form(html`<h1>3 Mode de livraison</h1>${deliveryRadios(view)} ${totals(view)} ${button("Continuer")}`),
    },
    {
      path: "/checkout/payment",
      step: "payment",
      readCard: typedCard,
      content: (view) =>
        form(html`<h1>4 Paiement</h1>
        <p><label><input type="radio" name="payment-option" value="wire"> Payer par virement bancaire</label></p><p><label><input type="radio" name="payment-option" value="card" checked> Payer par carte bancaire</label></p>${cardFields()}
        ${checkbox("conditions_to_approve", "J'ai lu les conditions générales de vente et j'y adhère sans réserve.", "required")} ${totals(view)} ${button("Commander")}`),
    },
  ],
};
