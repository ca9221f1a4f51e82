import { html } from "../../../mail/html.ts";
import { oneFrame, tokenCard } from "../markup/card.ts";
import { deliveryTable } from "../markup/delivery.ts";
import { address, checkbox } from "../markup/fields.ts";
import { button, form, payButton } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import { endpoint, type Shape } from "../shape.ts";

export const shape: Shape = {
  title: "Magento in French: “Passer la commande” both opens the checkout and, outside any form, places the order.",
  source: "https://github.com/mageplaza/magento-2-french-language-pack",
  market: "FR",
  cart: (view) => html`<h1>Panier</h1>${totals(view)}<p><a class="button" href="/checkout">Passer la commande</a></p>`,
  pages: [
    {
      path: "/checkout",
      step: "address",
      content: (view) =>
        form(
          html`<h1>Livraison</h1>${address(view, { hasAutocomplete: false, required: ["phone"], names: { email: "username", address1: "street[0]", address2: "street[1]", country: "country_id" } })}<h2>Modes de livraison</h2>${deliveryTable(view)} ${button("Suivant")}`,
        ),
    },
    {
      path: "/checkout/payment",
      step: "payment",
      content: (view) =>
        html`<h1>Paiement</h1>${checkbox("billing-same", "Mon adresse de facturation et de livraison sont identiques", "checked")}${oneFrame(view)}${totals(view)}
        ${payButton(
          "Passer la commande",
          `const payment_token = await gallery.askFrame("tokenise");
           const { ok, json } = await gallery.send("/rest/fr/V1/guest-carts/" + gallery.settings.orderId + "/payment-information", { payment_token });
           if (!ok) throw new Error(json.message);
           location.href = "/thanks";`,
        )}`,
    },
  ],
  endpoints: [
    endpoint("POST", "/rest/fr/V1/guest-carts/:id/payment-information", "payment", ({ view, body, response, pay }) => {
      const paid = pay(tokenCard(view, body));
      if ("error" in paid) response.status(400).json({ message: paid.error });
      else response.json(paid.orderNumber);
    }),
  ],
};
