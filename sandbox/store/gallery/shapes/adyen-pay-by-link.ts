import { html } from "../../../mail/html.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { address } from "../markup/fields.ts";
import { button, form } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import { endpoint, type Shape } from "../shape.ts";

export const shape: Shape = {
  title: "Adyen Pay by Link: the merchant's confirmation of the address links to a page of the processor.",
  source: "https://docs.adyen.com/unified-commerce/pay-by-link/create-payment-links/api/",
  isHeldBack: true,
  market: "DE",
  pages: [
    {
      path: "/checkout",
      step: "address",
      content: (view) =>
        form(
          html`<h1>Lieferadresse</h1>${address(view)} ${deliveryRadios(view)} ${button("Weiter zur Bestellübersicht")}`,
        ),
    },
    {
      path: "/checkout/overview",
      step: "review",
      content: (view) =>
        html`<h1>Bestellübersicht</h1>${totals(view)}<p><a class="button" href="/checkout/pay">Weiter zur Zahlung</a></p>`,
    },
  ],
  endpoints: [
    endpoint("GET", "/checkout/pay", "payment", ({ view, response, pay }) => {
      const { id } = view.processor.createIntent({
        amount: view.money(view.totalMinor),
        returnUrl: `${view.url}/thanks`,
        confirm: pay,
      });
      response.redirect(303, `${view.processor.url}/pay/${id}`);
    }),
  ],
};
