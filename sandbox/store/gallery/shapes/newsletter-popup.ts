import { html } from "../../../mail/html.ts";
import { cardFields, typedCard } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { newsletterPopup } from "../markup/deviations.ts";
import { address } from "../markup/fields.ts";
import { button, form } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import type { Shape } from "../shape.ts";

export const shape: Shape = {
  title: "A newsletter dialog opens a second after each page, with an email field and a close button without text.",
  source: "https://www.nngroup.com/articles/popups/",
  isHeldBack: true,
  pages: [
    {
      path: "/checkout",
      step: "address",
      content: (view) => form(html`<h1>Delivery</h1>${address(view)} ${deliveryRadios(view)} ${button("Continue")}`),
    },
    {
      path: "/checkout/payment",
      step: "payment",
      readCard: typedCard,
      content: (view) => form(html`<h1>Payment</h1>${cardFields()} ${totals(view)} ${button("Pay now")}`),
    },
  ],
  deviations: [newsletterPopup],
};
